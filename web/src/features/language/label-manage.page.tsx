import { PageHead } from '../../kit/page-head.tsx';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { LabelsTab } from './labels-tab.tsx';
import { LanguagesTab } from './languages-tab.tsx';

function LabelManage() {
  const t = useT();
  const view = useView();
  const active = view.search.get('tab') === 'texts' ? 'texts' : 'languages';
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('language.title')} />
      <Tabs
        active={active}
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === 'texts' ? { tab: 'texts' } : {}))}
        items={[
          { key: 'languages', label: t('language.tab.languages'), children: active === 'languages' ? <LanguagesTab /> : null },
          { key: 'texts', label: t('language.tab.texts'), children: active === 'texts' ? <LabelsTab /> : null },
        ]}
      />
    </div>
  );
}

export const labelManagePage = { View: LabelManage };
