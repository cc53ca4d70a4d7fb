import { logCalls } from '@mooring/contract/audit-log/calls';
import { wordsOfTarget } from '@mooring/contract/audit-log/target';
import { listPage } from '../../kit/list/list-page.tsx';
import { change } from '../../kit/queries.ts';
import { StatusTag, Tag } from '../../ui/status-tag.tsx';
import { toast } from '../../ui/toast.tsx';
import { t, useLooseT, useT } from '../../ui/words.ts';
import { LogEntryDrawer } from './log-entry.tsx';
import { Act, Actor, Target } from './log-words.tsx';
import { ProofDialog } from './proof-dialog.tsx';

/** How often within the minute, where something was refused again and again. */
function Result({ of, count }: { of: string; count: number }) {
  const say = useT();
  const loose = useLooseT();
  const done = of === 'done';
  return (
    <span className="m-row">
      <StatusTag tone={done ? 'good' : 'bad'}>{done ? say('log.result.done') : loose(`fault.${of}`, of)}</StatusTag>
      {count > 1 ? <Tag>{`×${count}`}</Tag> : null}
    </span>
  );
}
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
    { key: 'at', title: 'log.at', kind: 'moment', sort: true, pinned: 'left', width: 170 },
    { key: 'actorName', title: 'log.actor', width: 170, cell: (row) => <Actor name={row.actorName} dept={row.actorDept} /> },
    { key: 'domain', title: 'log.domain', kind: 'name', names: 'log.domain.', width: 130 },
    { key: 'call', title: 'log.call', width: 260, cell: (row) => <Act of={row.act} call={row.call} /> },
    { key: 'target', title: 'log.target', width: 240, cell: (row) => <Target of={row.target} /> },
    { key: 'result', title: 'log.result', width: 180, cell: (row) => <Result of={row.result} count={row.count} /> },
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
  nameOf: (row) => (row.target ? wordsOfTarget(row.target, t) : row.call),
  empty: { title: 'log.empty' },
  slots: { aside: LogEntryDrawer },
});
