import { deviceLogCalls } from '@mooring/contract/device/log/log-calls';
import { ListView } from '../../../kit/list/list-view.tsx';
import { PageActions } from '../../../kit/list/page-actions.tsx';
import type { PageAction } from '../../../kit/list/types.ts';
import { PageHead } from '../../../kit/page-head.tsx';
import { chooseSearch, useView } from '../../../kit/view.ts';
import { Tabs } from '../../../ui/tabs.tsx';
import { useT } from '../../../ui/words.ts';
import { logRequests } from './log-requests.tsx';
import { LogView } from './log-view.tsx';
import { RequestLog } from './request-log.tsx';

const actions: readonly PageAction[] = [
  { key: 'request', label: 'deviceLog.request', icon: 'download', primary: true, call: deviceLogCalls.request, Dialog: RequestLog },
];

const tabs = [
  {
    key: 'lines',
    title: 'deviceLog.lines',
    List: () => (
      <LogView>
        <PageActions actions={actions} />
      </LogView>
    ),
  },
  { key: 'requests', title: 'deviceLog.requests', List: () => <ListView spec={{ ...logRequests, actions }} queryPrefix="r." /> },
] as const;

/** What terminals write down, and what they were asked for of it. */
function Logs() {
  const t = useT();
  const view = useView();
  const active = tabs.find((tab) => tab.key === view.search.get('tab')) ?? tabs[0];
  return (
    <div className="m-page m-page-fill">
      <PageHead title={t('deviceLog.title')}>
        <PageActions actions={actions} addressed />
      </PageHead>
      <Tabs
        active={active.key}
        onChange={(key) => chooseSearch(view, new URLSearchParams(key === tabs[0].key ? {} : { tab: key }))}
        items={tabs.map((tab) => ({ key: tab.key, label: t(tab.title), children: tab.key === active.key ? <tab.List /> : null }))}
      />
    </div>
  );
}

export const logsPage = { View: Logs, actions };
