import { appVersionCalls, developerCalls } from '@mooring/contract/app/calls';
import { ListView } from '../../kit/list/list-view.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { mayCall } from '../../kit/session.ts';
import { chooseSearch, useView } from '../../kit/view.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { useT } from '../../ui/words.ts';
import { catalogueList } from './apps.tsx';
import { Developers } from './developers.tsx';
import { waitingList } from './versions.tsx';

const tabs = [
  { key: 'catalogue', title: 'app.catalogue', call: undefined, Body: () => <ListView spec={catalogueList} /> },
  {
    key: 'waiting',
    title: 'app.waiting',
    call: appVersionCalls.approve,
    Body: () => <ListView spec={waitingList} fixed={{ reviewState: '1' }} queryPrefix="w." />,
  },
  { key: 'developers', title: 'app.developers', call: developerCalls.page, Body: Developers },
] as const;

/** What there is for whoever looks; for reviewers what waits beside it. */
function Catalogue() {
  const t = useT();
  const view = useView();
  const shown = tabs.filter(({ call }) => call === undefined || mayCall(call));
  const active = shown.find((tab) => tab.key === view.search.get('tab')) ?? tabs[0];
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('menu.app')} />
      <Tabs
        active={active.key}
        untitled
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === tabs[0].key ? {} : { tab: key }))}
        items={shown.map((tab) => ({ key: tab.key, label: t(tab.title), children: tab.key === active.key ? <tab.Body /> : null }))}
      />
    </div>
  );
}

export const cataloguePage = { View: Catalogue };
