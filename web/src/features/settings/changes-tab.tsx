import { type ChangeTarget, changeRequestCalls } from '@mooring/contract/settings/change-request-calls';
import { changeRequestMachine } from '@mooring/contract/settings/state-machines';
import { useState } from 'react';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { Value } from '../../kit/list/cells.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { useAct } from '../../kit/queries.ts';
import { Confirm, Drawer } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { type TextKey, useLooseT, useT } from '../../ui/words.ts';
import { useWritten } from './change-values.ts';

type Row = RowOf<typeof changeRequestCalls.page>;

/** Where the forms of these settings have the names of their fields from. */
const namesOf: Readonly<Record<ChangeTarget, string>> = {
  mail: 'settings.mail.',
  sms: 'settings.sms.',
  outbound: 'settings.outbound.',
  singleSignOn: 'settings.sso.',
  registration: 'register.setting.',
  unauthenticated: 'authAudit.setting.',
  dualControl: 'settings.dualControl.',
  syslog: 'settings.syslog.',
  retention: 'settings.retention.',
  loginPolicy: 'account.policy.',
  passwordPolicy: 'account.policy.',
};

/** What is now and what was asked for, field by field. */
function Changes({ row }: { row: Row }) {
  const t = useT();
  const loose = useLooseT();
  const written = useWritten(row.changes);
  return (
    <table className="m-diff">
      <thead>
        <tr>
          {(['change.field', 'change.before', 'change.after'] as const).map((key) => (
            <th key={key} scope="col">
              {t(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {row.changes.map(({ field, before, after, secret }) => {
          const name = `${namesOf[row.target]}${field}`;
          return (
            <tr key={field}>
              <th scope="row">{loose(name, field)}</th>
              <td dir="auto">{secret ? '' : written(before, name)}</td>
              <td dir="auto">{secret ? t('change.secret') : written(after, name)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const titleOf = (row: Row, loose: (key: string, fallback: string) => string) =>
  [loose(`change.target.${row.target}`, row.target), row.lineName].filter(Boolean).join(' · ');

function Details({ row, onClose }: { row: Row; onClose: () => void }) {
  const loose = useLooseT();
  return (
    <Drawer open title={titleOf(row, loose)} onClose={onClose} width={640}>
      <div className="m-stack">
        {row.remark ? <Note tone="warn">{row.remark}</Note> : null}
        <Changes row={row} />
      </div>
    </Drawer>
  );
}

interface Deciding {
  readonly row: Row;
  readonly onClose: () => void;
}
/** What is approved stands above the button. */
function Approve({ row, onClose }: Deciding) {
  const t = useT();
  const loose = useLooseT();
  const act = useAct(changeRequestCalls.approve, { successText: 'change.approved', done: onClose });
  return (
    <Confirm
      open
      title={t('kit.act.sure', { act: t('event.changeRequest.approve'), name: titleOf(row, loose) })}
      confirm={t('event.changeRequest.approve')}
      busy={act.busy}
      onClose={onClose}
      onConfirm={() => act.run({ id: row.id })}
    >
      <div className="m-stack">
        <p>
          <strong>{titleOf(row, loose)}</strong> · {t('change.author')}: {row.author}
        </p>
        <Changes row={row} />
        <p>{t('change.approve.about')}</p>
      </div>
    </Confirm>
  );
}

function Refuse({ row, onClose }: Deciding) {
  const t = useT();
  const loose = useLooseT();
  return (
    <FormDialog
      title="event.changeRequest.refuse"
      of={titleOf(row, loose)}
      call={changeRequestCalls.refuse}
      successText="change.refused"
      submit="event.changeRequest.refuse"
      about={<p className="m-muted">{t('change.refuse.about')}</p>}
      initial={{ id: row.id }}
      fields={[{ name: 'remark', label: 'change.remark', kind: 'area' }]}
      onClose={onClose}
    />
  );
}

const Count = ({ row }: { row: Row }) => useT()('change.count', { n: row.changes.length });
const targets: readonly { value: ChangeTarget; label: TextKey }[] = (Object.keys(namesOf) as ChangeTarget[]).map((value) => ({
  value,
  label: `change.target.${value}`,
}));

export function ChangesTab() {
  const loose = useLooseT();
  const [deciding, setDeciding] = useState<{ how: 'approve' | 'refuse'; row: Row }>();
  const [spec] = useState<ListSpec<typeof changeRequestCalls.page>>(() => ({
    code: 'settings.changes',
    title: 'settings.tab.changes',
    call: changeRequestCalls.page,
    columns: [
      { key: 'target', title: 'change.target', kind: 'name', names: 'change.target.', pinned: 'left', width: 170 },
      { key: 'state', title: 'change.state', kind: 'state', machine: changeRequestMachine, width: 200 },
      { key: '_changes', title: 'change.changes', cell: (row) => <Count row={row} />, width: 110 },
      { key: 'author', title: 'change.author', width: 150 },
      { key: 'createdAt', title: 'change.createdAt', kind: 'ago', sort: true, width: 120 },
      { key: 'lineName', title: 'change.lineName', width: 150 },
      { key: 'decidedBy', title: 'change.decidedBy', width: 150 },
      {
        key: 'remark',
        title: 'change.remark',
        width: 240,
        cell: (row) => (row.remark ? <span title={row.remark}>{row.remark}</span> : <Value value={null} />),
      },
      { key: 'expiresAt', title: 'change.expiresAt', kind: 'moment', width: 170, off: true },
      { key: 'decidedAt', title: 'change.decidedAt', kind: 'moment', width: 170, off: true },
    ],
    filters: [
      { field: 'state', label: 'change.state', machine: changeRequestMachine },
      { field: 'target', label: 'change.target', choices: targets },
    ],
    rowActions: [
      {
        key: 'approve',
        label: 'event.changeRequest.approve',
        icon: 'check',
        allowedAction: 'approve',
        run: (row) => setDeciding({ how: 'approve', row }),
      },
      {
        key: 'refuse',
        label: 'event.changeRequest.refuse',
        allowedAction: 'refuse',
        danger: true,
        run: (row) => setDeciding({ how: 'refuse', row }),
      },
      rowAction(changeRequestCalls.withdraw, {
        successText: 'change.withdrawn',
        label: 'event.changeRequest.withdraw',
        icon: 'retry',
        allowedAction: 'withdraw',
      }),
    ],
    nameOf: (row) => titleOf(row, loose),
    empty: { title: 'change.empty', text: 'change.emptyText', icon: 'check' },
    slots: { aside: Details },
  }));
  const close = () => setDeciding(undefined);
  return (
    <>
      <ListView spec={spec} queryPrefix="c." />
      {deciding?.how === 'approve' ? <Approve row={deciding.row} onClose={close} /> : null}
      {deciding?.how === 'refuse' ? <Refuse row={deciding.row} onClose={close} /> : null}
    </>
  );
}
