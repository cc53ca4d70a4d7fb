import { messageCalls } from '@mooring/contract/message/calls';
import { ListView } from '../../kit/list/list-view.tsx';
import type { RowOf } from '../../kit/list/types.ts';
import { Drawer } from '../../ui/dialog.tsx';
import { useFormat, useT } from '../../ui/words.ts';
import { readersOf } from './readers.tsx';

const readers = readersOf('message', messageCalls.readers, messageCalls.exportReaders);

/** A message that was sent, as it was sent, with who has read it. */
export function OpenSent({ row, onClose }: { row: RowOf<typeof messageCalls.sent>; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
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
