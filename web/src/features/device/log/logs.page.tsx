import { deviceLogCalls } from '@mooring/contract/device/log/log-calls';
import { ListView } from '../../../kit/list/list-view.tsx';
import { PageActions } from '../../../kit/list/page-actions.tsx';
import type { PageAction } from '../../../kit/list/types.ts';
import { tabsPage } from '../../../kit/tabs-page.tsx';
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
    Body: () => (
      <LogView>
        <PageActions actions={actions} />
      </LogView>
    ),
  },
  { key: 'requests', title: 'deviceLog.requests', Body: () => <ListView spec={{ ...logRequests, actions }} queryPrefix="r." /> },
] as const;

/** What terminals write down, and what they were asked for of it. */
export const logsPage = tabsPage({ title: 'deviceLog.title', tabs, actions });
