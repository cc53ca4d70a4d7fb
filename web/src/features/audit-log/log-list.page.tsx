import { logCalls } from '@mooring/contract/audit-log/calls';
import { wordsOfTarget } from '@mooring/contract/audit-log/target';
import { listPage } from '../../kit/list/list-page.tsx';
import { change } from '../../kit/queries.ts';
import { toast } from '../../ui/toast.tsx';
import { t } from '../../ui/words.ts';
import { LogEntryDrawer } from './log-entry.tsx';
import { Action, Actor, At, actionWords, Result, Target } from './log-words.tsx';
import { ProofDialog } from './proof-dialog.tsx';

const verify = () =>
  void change(logCalls.verify, {}).then(
    () => toast('done', t('log.verify.started')),
    () => undefined,
  );

/** One list for both platforms: /sys/log of the centre, /sys/management/log of the manager. */
export const logList = listPage({
  code: 'audit.log',
  title: 'log.title',
  call: logCalls.page,
  search: { field: 'text', hint: 'log.search' },
  columns: [
    { key: 'at', title: 'log.at', sort: true, pinned: 'left', width: 180, cell: (row) => <At of={String(row.at)} /> },
    { key: 'actorName', title: 'log.actor', width: 150, cell: (row) => <Actor name={row.actorName} dept={row.actorDept} /> },
    { key: 'action', title: 'log.call', width: 240, cell: (row) => <Action of={row.action} /> },
    { key: 'target', title: 'log.target', width: 210, cell: (row) => <Target of={row.target} /> },
    { key: 'result', title: 'log.result', width: 290, cell: (row) => <Result of={row} count={row.count} /> },
    { key: 'domain', title: 'log.domain', kind: 'name', names: 'log.domain.', width: 160 },
    { key: 'ip', title: 'log.ip', width: 130 },
    { key: 'device', title: 'log.device', width: 200, off: true },
    { key: 'platform', title: 'log.platform', kind: 'name', names: 'platform.', width: 150, off: true },
    { key: 'sealNo', title: 'log.seal', kind: 'number', width: 120, off: true },
    { key: 'requestId', title: 'log.requestId', kind: 'code', off: true },
  ],
  filters: [
    { field: 'domain', label: 'log.domain', names: 'log.domain.' },
    { field: 'result', label: 'log.result', names: 'log.result.' },
    { field: 'actorName', label: 'log.actor' },
    { field: 'ip', label: 'log.ip' },
    { field: 'at', label: 'log.at' },
  ],
  actions: [
    { key: 'verify', label: 'log.verify', icon: 'check', call: logCalls.verify, run: verify },
    { key: 'proof', label: 'log.proof', icon: 'key', call: logCalls.proof, Dialog: ProofDialog },
  ],
  export: logCalls.export,
  nameOf: (row) => (row.target ? wordsOfTarget(row.target, t) : actionWords(row.action)),
  empty: { title: 'log.empty' },
  slots: { aside: LogEntryDrawer },
});
