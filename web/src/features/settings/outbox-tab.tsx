import { mailMachine } from '@mooring/contract/mail/state-machines';
import { mailCalls } from '@mooring/contract/settings/mail-calls';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { Drawer } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';

type Row = RowOf<typeof mailCalls.page>;

function Words({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useT();
  return (
    <Drawer open title={row.subject || row.recipient} onClose={onClose}>
      <div className="m-stack">
        {row.maybeTwice ? <Note tone="warn">{t('settings.out.twice')}</Note> : null}
        {row.error ? <Note tone="danger">{row.error}</Note> : null}
        {row.text ? <pre className="m-words">{row.text}</pre> : <p className="m-muted">{t('settings.out.gone')}</p>}
      </div>
    </Drawer>
  );
}

const outbox: ListSpec<typeof mailCalls.page> = {
  code: 'settings.outbox',
  title: 'settings.tab.outbox',
  call: mailCalls.page,
  search: { field: 'recipient', hint: 'settings.out.search' },
  columns: [
    { key: 'recipient', title: 'settings.out.recipient', pinned: 'left', width: 190 },
    { key: 'subject', title: 'settings.out.subject', width: 200 },
    { key: 'state', title: 'settings.out.state', kind: 'state', machine: mailMachine, width: 160 },
    { key: 'channel', title: 'settings.out.channel', kind: 'name', names: 'settings.out.channel.', width: 90 },
    { key: 'attempts', title: 'settings.out.attempts', kind: 'number', width: 115 },
    { key: 'error', title: 'settings.out.error', width: 120 },
    { key: 'createdAt', title: 'settings.out.createdAt', kind: 'moment', sort: true, width: 165 },
    { key: 'sentAt', title: 'settings.out.sentAt', kind: 'moment', width: 165 },
  ],
  filters: [
    { field: 'state', label: 'settings.out.state', machine: mailMachine },
    { field: 'channel', label: 'settings.out.channel', names: 'settings.out.channel.' },
    { field: 'createdAt', label: 'settings.out.createdAt' },
  ],
  rowActions: [
    rowAction(mailCalls.resend, { successText: 'done.resent', label: 'event.mail.resend', icon: 'retry', allowedAction: 'resend' }),
  ],
  export: mailCalls.export,
  nameOf: (row) => row.recipient,
  empty: { title: 'settings.out.empty', icon: 'inbox' },
  slots: { aside: Words },
};

export const OutboxTab = () => <ListView spec={outbox} queryPrefix="o." />;
