import { messageCalls } from '@mooring/contract/message/calls';
import { messageMachine } from '@mooring/contract/message/state-machines';
import { bulkAct, type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { change } from '../../kit/queries.ts';
import { Tag } from '../../ui/status-tag.tsx';
import { toast } from '../../ui/toast.tsx';
import { t, useT } from '../../ui/words.ts';
import { OpenMessage } from './open-message.tsx';
import { OpenSent } from './open-sent.tsx';
import { SendMessage } from './send-message.tsx';

async function readAll(): Promise<void> {
  const made = await change(messageCalls.readAll, {}).catch(() => undefined);
  if (made) toast('done', t('message.readAllDone', { count: made.changed }));
}

type Row = RowOf<typeof messageCalls.page>;
const tones = { 1: 'danger', 2: 'plain', 3: 'plain' } as const;
export function Priority({ of }: { of: '1' | '2' | '3' }) {
  const t = useT();
  return <Tag tone={tones[of]}>{t(`message.priority.${of}`)}</Tag>;
}
/** Unread ones stand out by weight, not by colour alone. */
const Subject = ({ row }: { row: Row }) => (row.status === '0' ? <b>{row.title}</b> : <Titled row={row} />);
/** What was taken back says so beside its title. */
function Titled({ row: { title, recalledAt } }: { row: { readonly title: string; readonly recalledAt: unknown } }) {
  const t = useT();
  if (recalledAt === null) return title;
  return (
    <span className="m-row">
      {title} <Tag tone="plain">{t('message.recalled')}</Tag>
    </span>
  );
}

export const mine: ListSpec<typeof messageCalls.page> = {
  code: 'message.list',
  title: 'message.tab.mine',
  call: messageCalls.page,
  export: messageCalls.export,
  search: { field: 'text', hint: 'message.search' },
  columns: [
    { key: 'title', title: 'message.subject', pinned: 'left', width: 290, cell: (row) => <Subject row={row} /> },
    { key: 'text', title: 'message.text', width: 320 },
    { key: 'priority', title: 'message.priority', width: 120, cell: (row) => <Priority of={row.priority} /> },
    { key: 'status', title: 'message.status', kind: 'state', machine: messageMachine, width: 110 },
    { key: 'type', title: 'message.type', kind: 'name', names: 'message.type.', width: 140 },
    { key: 'sender', title: 'message.sender', width: 140 },
    { key: 'createdAt', title: 'message.createdAt', kind: 'moment', sort: true, width: 170 },
  ],
  filters: [
    { field: 'status', label: 'message.status', machine: messageMachine },
    { field: 'type', label: 'message.type', names: 'message.type.' },
    { field: 'priority', label: 'message.priority', names: 'message.priority.' },
    { field: 'createdAt', label: 'message.createdAt' },
  ],
  rowActions: [
    rowAction(messageCalls.read, {
      successText: 'message.markedRead',
      label: 'event.message.read',
      icon: 'check',
      allowedAction: 'read',
      input: (row: Row) => ({ ids: [row.id] }),
    }),
    rowAction(messageCalls.delete, {
      successText: 'done.deleted',
      label: 'message.delete',
      icon: 'delete',
      danger: true,
      allowedAction: 'delete',
      confirm: { text: 'message.delete.one' },
      input: (row: Row) => ({ ids: [row.id] }),
    }),
  ],
  bulk: [
    bulkAct(messageCalls.readMany, { label: 'message.readMany', icon: 'check', successText: 'message.readManyDone' }),
    bulkAct(messageCalls.deleteChosen, {
      label: 'message.deleteChosen',
      danger: true,
      text: 'message.delete.about',
      successText: 'message.deleteChosenDone',
    }),
  ],
  actions: [
    { key: 'readAll', label: 'message.readAll', call: messageCalls.readAll, run: () => void readAll() },
    { key: 'new', label: 'message.new', icon: 'add', primary: true, call: messageCalls.send, Dialog: SendMessage },
  ],
  nameOf: (row) => row.title,
  empty: { title: 'message.empty', text: 'message.emptyText', icon: 'inbox' },
  slots: { aside: OpenMessage },
};

export const sent: ListSpec<typeof messageCalls.sent> = {
  code: 'message.sent',
  title: 'message.tab.sent',
  call: messageCalls.sent,
  export: messageCalls.exportSent,
  search: { field: 'text', hint: 'message.subject' },
  columns: [
    { key: 'title', title: 'message.subject', pinned: 'left', width: 290 },
    { key: 'recipients', title: 'message.recipients', kind: 'name', names: 'message.recipients.', width: 240 },
    { key: 'priority', title: 'message.priority', width: 120, cell: (row) => <Priority of={row.priority} /> },
    { key: 'people', title: 'message.people', kind: 'number', width: 100 },
    { key: 'read', title: 'message.read', kind: 'number', width: 100 },
    { key: 'sender', title: 'message.sender', width: 140 },
    { key: 'createdAt', title: 'message.createdAt', kind: 'moment', sort: true, width: 170 },
    { key: 'recalledAt', title: 'message.recalledAt', kind: 'moment', width: 150 },
  ],
  filters: [{ field: 'createdAt', label: 'message.createdAt' }],
  rowActions: [
    rowAction(messageCalls.recall, {
      label: 'message.recall',
      icon: 'cancel',
      danger: true,
      allowedAction: 'recall',
      confirm: { text: 'message.recall.about', keep: 'message.recall.keep' },
    }),
  ],
  nameOf: (row) => row.title,
  empty: { title: 'message.sent.empty', icon: 'inbox' },
  slots: { aside: OpenSent },
};
