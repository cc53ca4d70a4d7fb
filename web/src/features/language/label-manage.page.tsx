import { tabsPage } from '../../kit/tabs-page.tsx';
import { LabelsTab } from './labels-tab.tsx';
import { LanguagesTab } from './languages-tab.tsx';

export const labelManagePage = tabsPage({
  title: 'language.title',
  tabs: [
    { key: 'languages', title: 'language.tab.languages', Body: LanguagesTab },
    { key: 'texts', title: 'language.tab.texts', Body: LabelsTab },
  ],
});
