import { changeRequestMachine } from '@mooring/contract/settings/state-machines';
import { keyChangeCalls, profileChanges, signingChanges } from '@mooring/contract/signing/change-calls';
import { useState } from 'react';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { useAct } from '../../kit/queries.ts';
import { Confirm, Drawer } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { type TextKey, useFormat, useLooseT, useT } from '../../ui/words.ts';
import { keyPath } from './keys.ts';

type Row = RowOf<typeof keyChangeCalls.page>;
type Loose = ReturnType<typeof useLooseT>;
const titleOf = (row: Row, loose: Loose) => `${loose(`change.target.${row.target}`, row.target)} · ${row.keyName}`;

/** Values whose words stand with the key. */
const namesOf: Readonly<Record<string, string>> = {
  algorithm: 'signingKey.algorithm.',
  asks: 'signingProfile.kind.',
  kind: 'keyStore.kind.',
  nextKind: 'keyStore.kind.',
  origin: 'signingKey.origin.',
  profiles: 'signingKey.profiles.',
  remains: 'signingKey.remains.',
  state: 'life.signingKey.',
};

/** Where a policy names none, it is for all of them. */
const open: ReadonlySet<string> = new Set(['packageNames', 'nextPackageNames', 'profiles']);

/** As a person reads a key: where it is, what it is, what it may do. What isn't named here stands behind them. */
const order: readonly string[] = [
  ...['name', 'asks', 'covers', 'root', 'rootSha256', 'signer', 'signerSha256', 'signsWith', 'signsWithSha256'],
  ...['timeUrl', 'timeRoot', 'timeSha256', 'remark'],
  ...['store', 'kind', 'origin', 'exportable', 'algorithm', 'subject', 'issuer', 'notAfter', 'certificates'],
  ...['packageNames', 'products', 'profiles', 'mostUses', 'hourFrom', 'hourTo', 'fingerprint', 'certificateSha256'],
];
const placeOf = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length);
const inOrder = (changes: Row['changes']) => changes.toSorted((one, other) => placeOf(one.field) - placeOf(other.field));

/** Of other certificates: that apps signed so far are cut off from updates. It stands in words. */
const CUTS_OFF = 'cutsOff';

/** Compared sign by sign. */
const checksums: ReadonlySet<string> = new Set([
  ...['fingerprint', 'certificateSha256', 'nextCertificate'],
  ...['rootSha256', 'signerSha256', 'signsWithSha256', 'timeSha256'],
]);

function useWritten() {
  const t = useT();
  const loose = useLooseT();
  const format = useFormat();
  const named = (names: readonly unknown[], none: string): string =>
    names.map((name) => (typeof name === 'string' ? name : t('keyChange.products.unseen'))).join(', ') || none;
  const written = (field: string, value: unknown): string => {
    if ((field === 'products' || field === 'nextProducts') && Array.isArray(value)) return named(value, t('signingKey.products.any'));
    if (field === 'signsWith' && Array.isArray(value)) return t('keyChange.key.unseen');
    if (field === 'covers' && Array.isArray(value)) return named(value, '—');
    if (open.has(field) && Array.isArray(value) && value.length === 0) return t('signingKey.products.any');
    if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return '—';
    if (Array.isArray(value)) return value.map((one) => written(field, one)).join(', ');
    if (typeof value === 'boolean') return t(value ? 'kit.yes' : 'kit.no');
    if (field === 'notAfter') return format.moment(String(value));
    return namesOf[field] ? loose(`${namesOf[field]}${String(value)}`, String(value)) : String(value);
  };
  return written;
}

/** What is now and what was asked for, field by field. */
function Changes({ row }: { row: Row }) {
  const t = useT();
  const loose = useLooseT();
  const written = useWritten();
  // What is new has nothing before it.
  const isNew = row.changes.every(({ before }) => before === null);
  const fields = row.changes.filter(({ field }) => field !== CUTS_OFF);
  const table = (
    <table className="m-diff">
      <thead>
        <tr>
          {(['change.field', ...(isNew ? [] : (['change.before'] as const)), 'change.after'] as const).map((key) => (
            <th key={key} scope="col">
              {t(key)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {inOrder(fields).map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{loose(`keyChange.field.${field}`, field)}</th>
            {isNew ? null : (
              <td dir="auto" className={checksums.has(field) ? 'm-mono' : ''}>
                {written(field, before)}
              </td>
            )}
            <td dir="auto" className={checksums.has(field) ? 'm-mono' : ''}>
              {written(field, after)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
  return fields.length === row.changes.length ? (
    table
  ) : (
    <>
      <Note tone="warn">{t('signingKey.chain.cutsOff')}</Note>
      {table}
    </>
  );
}

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
  const act = useAct(keyChangeCalls.approve, { successText: 'change.approved', done: onClose });
  const name = titleOf(row, loose);
  return (
    <Confirm
      open
      title={t('kit.act.sure', { act: t('event.changeRequest.approve'), name })}
      confirm={t('event.changeRequest.approve')}
      busy={act.busy}
      onClose={onClose}
      onConfirm={() => act.run({ id: row.id })}
    >
      <div className="m-stack">
        <p>
          <strong>{name}</strong> · {t('change.author')}: {row.author ?? t('keyChange.person.unseen')}
        </p>
        <Changes row={row} />
        <p>
          {t(row.target === 'keyExport' ? 'keyChange.approve.export' : 'keyChange.approve.about', {
            author: row.author ?? t('keyChange.person.unseen'),
          })}
        </p>
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
      call={keyChangeCalls.refuse}
      successText="change.refused"
      submit="event.changeRequest.refuse"
      about={<p className="m-muted">{t('change.refuse.about')}</p>}
      initial={{ id: row.id }}
      fields={[{ name: 'remark', label: 'change.remark', kind: 'area' }]}
      onClose={onClose}
    />
  );
}

const isDecided = ({ state }: Row) => state === 'approved' || state === 'refused';
const choices = (of: readonly string[]) => of.map((value) => ({ value, label: `change.target.${value}` as TextKey }));

/** What waits for a second person, and what became of it; of one key, or of profiles alone, where that is given. */
export function KeyChanges({ keyId, of }: { keyId?: number; of?: 'profile' }) {
  const t = useT();
  const loose = useLooseT();
  const [deciding, setDeciding] = useState<{ how: 'approve' | 'refuse'; row: Row }>();
  const [spec] = useState<ListSpec<typeof keyChangeCalls.page>>(() => ({
    code: keyId === undefined ? (of ? 'signing.profileChanges' : 'signing.changes') : 'signing.keyChanges',
    title: 'keyChange.title',
    call: keyChangeCalls.page,
    columns: [
      { key: 'target', title: 'keyChange.target', kind: 'name', names: 'change.target.', pinned: 'left', width: 220 },
      ...(keyId === undefined
        ? [
            {
              key: 'keyName',
              title: 'keyChange.keyName',
              width: 170,
              link: (row: Row) => (row.keyId === null ? '/apkTool?tab=profiles' : keyPath({ id: row.keyId })),
            } as const,
          ]
        : []),
      { key: 'state', title: 'change.state', kind: 'state', machine: changeRequestMachine, width: 190 },
      { key: 'author', title: 'change.author', width: 150, cell: (row) => row.author ?? t('keyChange.person.unseen') },
      { key: 'createdAt', title: 'change.createdAt', kind: 'ago', sort: true, width: 120 },
      {
        key: 'decidedBy',
        title: 'change.decidedBy',
        width: 150,
        cell: (row) => row.decidedBy ?? (isDecided(row) ? t('keyChange.person.unseen') : '–'),
      },
      { key: 'remark', title: 'change.remark', width: 220 },
      { key: 'deptName', title: 'keyChange.deptName', width: 170, off: true },
      { key: 'expiresAt', title: 'change.expiresAt', kind: 'moment', width: 170, off: true },
      { key: 'decidedAt', title: 'change.decidedAt', kind: 'moment', width: 170, off: true },
    ],
    filters: [
      { field: 'state', label: 'change.state', machine: changeRequestMachine },
      { field: 'target', label: 'keyChange.target', choices: choices(of ? profileChanges : signingChanges) },
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
      rowAction(keyChangeCalls.withdraw, {
        successText: 'change.withdrawn',
        label: 'event.changeRequest.withdraw',
        icon: 'retry',
        allowedAction: 'withdraw',
      }),
    ],
    nameOf: (row) => titleOf(row, loose),
    empty: { title: 'keyChange.empty', text: 'keyChange.emptyText', icon: 'check' },
    slots: { aside: Details },
  }));
  const close = () => setDeciding(undefined);
  return (
    <>
      <ListView spec={spec} queryPrefix="c." {...(keyId === undefined ? (of ? { fixed: { of } } : {}) : { fixed: { keyId } })} />
      {deciding?.how === 'approve' ? <Approve row={deciding.row} onClose={close} /> : null}
      {deciding?.how === 'refuse' ? <Refuse row={deciding.row} onClose={close} /> : null}
    </>
  );
}
