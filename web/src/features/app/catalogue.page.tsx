import { appVersionCalls, developerCalls } from '@mooring/contract/app/calls';
import { ListView } from '../../kit/list/list-view.tsx';
import { tabsPage } from '../../kit/tabs-page.tsx';
import { catalogueList } from './apps.tsx';
import { Developers } from './developers.tsx';
import { waitingList } from './versions.tsx';

const tabs = [
  { key: 'catalogue', title: 'app.catalogue', Body: () => <ListView spec={catalogueList} /> },
  {
    key: 'waiting',
    title: 'app.waiting',
    call: appVersionCalls.approve,
    Body: () => <ListView spec={waitingList} fixed={{ reviewState: '1' }} queryPrefix="w." />,
  },
  { key: 'developers', title: 'app.developers', call: developerCalls.page, Body: Developers },
] as const;

/** What there is for whoever looks; for reviewers what waits beside it. */
export const cataloguePage = tabsPage({ title: 'menu.app', tabs, untitled: true });
