import { noticeCalls } from '@mooring/contract/message/notice-calls';
import { useEffect } from 'react';
import type { RowOf } from '../../kit/list/types.ts';
import { change } from '../../kit/queries.ts';
import { Drawer } from '../../ui/dialog.tsx';
import { NoticeText } from './notice-text.tsx';

/** A notice beside the list; opening it reads it. */
export function OpenNotice({ row, onClose }: { row: RowOf<typeof noticeCalls.mine>; onClose: () => void }) {
  const unread = row.status === '0';
  useEffect(() => {
    if (unread) void change(noticeCalls.read, { id: row.id }, { hidden: true }).catch(() => {});
  }, [unread, row.id]);
  return (
    <Drawer open title={row.title} onClose={onClose} width={640}>
      <NoticeText id={row.id} />
    </Drawer>
  );
}
