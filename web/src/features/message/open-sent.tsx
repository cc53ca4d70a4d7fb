import { messageCalls } from '@mooring/contract/message/calls';
import { messageMachine } from '@mooring/contract/message/state-machines';
import { useState } from 'react';
import { ListView } from '../../kit/list/list-view.tsx';
import type { ListSpec, RowOf } from '../../kit/list/types.ts';
import { Drawer } from '../../ui/dialog.tsx';
import { useFormat, useT } from '../../ui/words.ts';

/** Whoever hasn't read it yet is nobody's alarm: a quiet word, not a state. */
function ReadAt({ row }: { row: RowOf<typeof messageCalls.readers> }) {
  const t = useT();
  const format = useFormat();
  return row.readAt === null ? <span className="m-muted">{t('life.message.unread')}</span> : format.moment(String(row.readAt));
}

/** A message that was sent, as it was sent, with who has read it. */
export function OpenSent({ row, onClose }: { row: RowOf<typeof messageCalls.sent>; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const [readers] = useState<ListSpec<typeof messageCalls.readers>>(() => ({
    code: 'message.readers',
    title: 'message.readers',
    call: messageCalls.readers,
    columns: [
      { key: 'name', title: 'message.reader', sort: true, pinned: 'left', width: 180 },
      { key: 'readAt', title: 'message.readAt', sort: 'status', width: 170, cell: (one) => <ReadAt row={one} /> },
      { key: 'deptName', title: 'message.dept', width: 180 },
      { key: 'account', title: 'message.account', off: true },
    ],
    filters: [{ field: 'status', label: 'message.status', machine: messageMachine }],
    export: messageCalls.exportReaders,
    nameOf: (one) => one.name,
    empty: { title: 'message.readers.empty', icon: 'people' },
  }));
  const told = [
    row.sender,
    format.moment(String(row.createdAt)),
    t(`message.recipients.${row.recipients}`),
    ...row.channels.map((channel) => t(`message.channel.${channel}`)),
  ];
  return (
    <Drawer open title={row.title} onClose={onClose} width={760}>
      <div className="m-stack">
        <span className="m-small m-muted">{told.filter(Boolean).join(' · ')}</span>
        <p className="m-words" dir="auto">
          {row.text}
        </p>
        <section className="m-stack-tight">
          <h3>{t('message.readers')}</h3>
          <p className="m-small m-muted">{t('message.readers.about')}</p>
          <ListView spec={readers} fixed={{ messageId: row.id }} queryPrefix="r." />
        </section>
      </div>
    </Drawer>
  );
}
