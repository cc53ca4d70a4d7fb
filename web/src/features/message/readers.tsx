import type { Call } from '@mooring/contract/kit/call';
import type { messageCalls } from '@mooring/contract/message/calls';
import type { noticeCalls } from '@mooring/contract/message/notice-calls';
import { messageMachine } from '@mooring/contract/message/state-machines';
import type { ListSpec, RowOf } from '../../kit/list/types.ts';
import { useFormat, useT } from '../../ui/words.ts';

type Readers = typeof messageCalls.readers;

/** Whoever hasn't read it yet is nobody's alarm: a quiet word, not a state. */
function ReadAt({ row }: { row: RowOf<Readers> }) {
  const t = useT();
  const format = useFormat();
  return row.readAt === null ? <span className="m-muted">{t('life.message.unread')}</span> : format.moment(String(row.readAt));
}

/** Whom a message or a notice went to, and who has read it. */
export const readersOf = (of: 'message' | 'notice', readers: Readers | typeof noticeCalls.readers, exporting: Call): ListSpec<Readers> => ({
  code: `${of}.readers`,
  title: `${of}.readers`,
  call: readers as Readers,
  columns: [
    { key: 'name', title: 'message.reader', sort: true, pinned: 'left', width: 180 },
    { key: 'readAt', title: 'message.readAt', sort: 'status', width: 170, cell: (row) => <ReadAt row={row} /> },
    { key: 'deptName', title: 'message.dept', width: 180 },
    { key: 'account', title: 'message.account', off: true },
  ],
  filters: [{ field: 'status', label: 'message.status', machine: messageMachine }],
  export: exporting,
  nameOf: (row) => row.name,
  empty: { title: `${of}.readers.empty`, icon: 'people' },
});
