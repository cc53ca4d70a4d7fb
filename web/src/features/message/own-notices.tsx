import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { messageMachine } from '@mooring/contract/message/state-machines';
import { type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { change } from '../../kit/queries.ts';
import { toast } from '../../ui/toast.tsx';
import { t } from '../../ui/words.ts';
import { Priority } from './message-lists.tsx';
import { OpenNotice } from './open-notice.tsx';

type Row = RowOf<typeof noticeCalls.mine>;
const Subject = ({ row }: { row: Row }) => (row.status === '0' ? <b>{row.title}</b> : row.title);

async function readAll(): Promise<void> {
  const made = await change(noticeCalls.readAll, {}).catch(() => undefined);
  if (made) toast('done', t('message.readAllDone', { count: made.changed }));
}

/** What is announced to this person, as long as it stands. */
export const ownNotices: ListSpec<typeof noticeCalls.mine> = {
  code: 'message.notices',
  title: 'notice.mine',
  call: noticeCalls.mine,
  export: noticeCalls.exportMine,
  search: { field: 'text', hint: 'notice.mine.search' },
  columns: [
    { key: 'title', title: 'notice.title', pinned: 'left', width: 280, cell: (row) => <Subject row={row} /> },
    { key: 'text', title: 'notice.body', width: 360 },
    { key: 'priority', title: 'notice.priority', width: 120, cell: (row) => <Priority of={row.priority} /> },
    { key: 'status', title: 'notice.status', kind: 'state', machine: messageMachine, width: 110 },
    { key: 'attachments', title: 'notice.attachments', kind: 'number', width: 110 },
    { key: 'sender', title: 'notice.sender', width: 160 },
    { key: 'publishedAt', title: 'notice.publishedAt', kind: 'moment', sort: true, width: 170 },
  ],
  filters: [
    { field: 'status', label: 'notice.status', machine: messageMachine },
    { field: 'priority', label: 'notice.priority', names: 'message.priority.' },
  ],
  rowActions: [
    rowAction(noticeCalls.read, {
      successText: 'message.markedRead',
      label: 'event.message.read',
      icon: 'check',
      when: (row: Row) => row.status === '0',
    }),
  ],
  actions: [{ key: 'readAll', label: 'message.readAll', call: noticeCalls.readAll, run: () => void readAll() }],
  nameOf: (row) => row.title,
  empty: { title: 'notice.mine.empty', text: 'notice.mine.emptyText', icon: 'notice' },
  slots: { aside: OpenNotice },
};
