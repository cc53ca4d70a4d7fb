import { messageCalls } from '@mooring/contract/message/calls';
import { useEffect } from 'react';
import { Link } from '../../kit/link.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { change } from '../../kit/queries.ts';
import { Drawer } from '../../ui/dialog.tsx';
import { useFormat, useT } from '../../ui/words.ts';

/** A message beside the list; opening it reads it. */
export function OpenMessage({ row, onClose }: { row: RowOf<typeof messageCalls.page>; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const unread = row.status === '0';
  useEffect(() => {
    if (unread) void change(messageCalls.detail, { id: row.id }, { hidden: true }).catch(() => {});
  }, [unread, row.id]);
  return (
    <Drawer open title={row.title} onClose={onClose}>
      <div className="m-stack">
        <span className="m-small m-muted">{[row.sender, format.moment(String(row.createdAt))].filter(Boolean).join(' · ')}</span>
        <p className="m-words" dir="auto">
          {row.text}
        </p>
        {row.link ? (
          <p>
            <Link to={row.link}>{t('message.open')}</Link>
          </p>
        ) : null}
      </div>
    </Drawer>
  );
}
