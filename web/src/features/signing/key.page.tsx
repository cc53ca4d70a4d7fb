import type { RowOf } from '@mooring/contract/kit/entity';
import { signingJobCalls } from '@mooring/contract/signing/job';
import { type SigningKey, signingKeyCalls } from '@mooring/contract/signing/key';
import { signingKeyMachine } from '@mooring/contract/signing/state-machines';
import { type ComponentType, useState } from 'react';
import { allows } from '../../kit/allows.ts';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { download } from '../../kit/downloads.ts';
import { Link } from '../../kit/link.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { mayCall } from '../../kit/session.ts';
import { Button } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import { KeyChanges } from './changes.tsx';
import { ExportPassword } from './export-password.tsx';
import { JobsOfKey } from './jobs.tsx';
import { ChainDialog, NextDialog, type OfKey, PolicyDialog, RequestDialog, savePem } from './key-dialogs.tsx';
import { KeyNotes } from './key-notes.tsx';
import { keyPath } from './keys.ts';
import { keysOfStore } from './stores.ts';

type Row = RowOf<typeof SigningKey>;

const dialogs: readonly { act: 'policy' | 'chain' | 'request' | 'next'; label: TextKey; icon: IconName; Dialog: ComponentType<OfKey> }[] = [
  { act: 'policy', label: 'signingKey.policy.edit', icon: 'edit', Dialog: PolicyDialog },
  { act: 'request', label: 'signingKey.request', icon: 'download', Dialog: RequestDialog },
  { act: 'chain', label: 'signingKey.chain.edit', icon: 'upload', Dialog: ChainDialog },
  { act: 'next', label: 'signingKey.next', icon: 'key', Dialog: NextDialog },
];

function Acts({ row }: { row: Row }) {
  const t = useT();
  const [open, setOpen] = useState<string>();
  const Open = dialogs.find((one) => one.act === open)?.Dialog;
  return (
    <>
      {dialogs.map(({ act, label, icon }) =>
        allows(row, act) ? (
          <Button key={act} icon={icon} onClick={() => setOpen(act)}>
            {t(label)}
          </Button>
        ) : null,
      )}
      {row.exportHalf === 'password' && mayCall(signingKeyCalls.exportPassword) ? <ExportPassword row={row} /> : null}
      {Open ? <Open row={row} onClose={() => setOpen(undefined)} /> : null}
    </>
  );
}

/** What it may be used for, in words; nothing said is everything. */
function Policy({ row }: { row: Row }) {
  const t = useT();
  const parts = [
    row.packageNames.join(', '),
    row.profiles.map((one) => t(`signingKey.profiles.${one}`)).join(', '),
    [
      ...row.products.map(({ name }) => name),
      ...(row.productIds.length > row.products.length ? [t('signingKey.products.unknown')] : []),
    ].join(', '),
    row.mostUses === null ? '' : `${t('signingKey.mostUses')}: ${row.mostUses}`,
    row.hourFrom === null ? '' : t('signingKey.policy.hours', { from: row.hourFrom, to: row.hourTo ?? 0 }),
  ].filter(Boolean);
  return parts.length === 0 ? t('signingKey.policy.none') : parts.join(' · ');
}

function Certificates({ row }: { row: Row }) {
  const t = useT();
  const text = row.chain.join('');
  return (
    <div className="m-stack">
      <div>
        <Button icon="download" onClick={() => savePem(text, `${row.name}.pem`)}>
          {t('signingKey.certificate.download')}
        </Button>
      </div>
      <pre className="m-mono" dir="ltr">
        {text}
      </pre>
    </div>
  );
}

const OtherKey = ({ of }: { of: Row['follows'] }) => (of ? <Link to={keyPath(of)}>{of.name}</Link> : null);

function DropNext({ row }: { row: Row }) {
  const t = useT();
  return t('signingKey.dropNext.about', { name: row.name, next: row.followedBy?.name ?? '' });
}

const Requests = ({ row }: { row: Row }) => <KeyChanges keyId={row.id} />;

const sent = 'keyChange.sent';

export const keyPage = detailPage({
  call: signingKeyCalls.detail,
  nameOf: (row) => row.name,
  state: { machine: signingKeyMachine, of: (row) => row.state },
  facts: [
    { key: 'algorithm', title: 'signingKey.algorithm', kind: 'name', names: 'signingKey.algorithm.' },
    { key: 'storeName', title: 'signingKey.storeId', link: (row) => keysOfStore({ id: row.storeId }) },
    { key: 'storeKind', title: 'keyStore.kind', kind: 'name', names: 'signingKey.storeKind.' },
    { key: 'deptName', title: 'keyStore.deptId' },
    { key: 'origin', title: 'signingKey.origin', kind: 'name', names: 'signingKey.origin.' },
    { key: 'exportable', title: 'signingKey.exportable', kind: 'yes' },
    { key: '_policy', title: 'signingKey.policy', cell: (row) => <Policy row={row} /> },
    { key: 'uses', title: 'signingKey.uses', kind: 'number' },
    { key: 'remains', title: 'signingKey.remains', kind: 'name', names: 'signingKey.remains.', when: (row) => row.remains !== null },
    {
      key: 'follows',
      title: 'signingKey.follows',
      cell: (row) => <OtherKey of={row.follows} />,
      when: (row) => row.follows !== null,
    },
    {
      key: 'followedBy',
      title: 'signingKey.followedBy',
      cell: (row) => <OtherKey of={row.followedBy} />,
      when: (row) => row.followedBy !== null,
    },
    { key: 'subject', title: 'signingKey.subject' },
    { key: 'issuer', title: 'signingKey.issuer' },
    { key: 'serial', title: 'signingKey.serial', kind: 'code' },
    { key: 'notBefore', title: 'signingKey.notBefore', kind: 'moment' },
    { key: 'notAfter', title: 'signingKey.notAfter', kind: 'moment' },
    { key: 'certificateSha256', title: 'signingKey.certificateSha256', kind: 'code' },
    { key: 'fingerprint', title: 'signingKey.fingerprint', kind: 'code' },
    { key: 'suspendedBy', title: 'signingKey.suspendedBy', when: (row) => row.suspendedBy !== null },
    { key: 'suspendedAt', title: 'signingKey.suspendedAt', kind: 'moment', when: (row) => row.suspendedAt !== null },
    { key: 'createdBy', title: 'signingKey.createdBy' },
    { key: 'createdAt', title: 'signingKey.createdAt', kind: 'moment' },
  ],
  actions: [
    rowAction(signingKeyCalls.suspend, {
      label: 'event.signingKey.suspend',
      icon: 'pause',
      allowedAction: 'suspend',
      successText: 'signingKey.suspended',
      confirm: { text: 'signingKey.suspend.about' },
    }),
    {
      key: 'exportFile',
      label: 'signingKey.export.file',
      icon: 'download',
      call: signingKeyCalls.exportFile,
      when: (row) => row.exportHalf === 'file',
      run: (row) => download(signingKeyCalls.exportFile, { id: row.id }, `${row.name}.p12`),
    },
    rowAction(signingKeyCalls.exportKey, {
      label: 'signingKey.export',
      allowedAction: 'exportKey',
      successText: sent,
      confirm: { text: 'signingKey.export.about' },
    }),
    rowAction(signingKeyCalls.dropNext, {
      label: 'signingKey.dropNext',
      allowedAction: 'dropNext',
      danger: true,
      successText: sent,
      confirm: { text: (row: Row) => <DropNext row={row} /> },
    }),
    rowAction(signingKeyCalls.resume, {
      label: 'event.signingKey.resume',
      allowedAction: 'resume',
      successText: sent,
      confirm: { text: 'signingKey.resume.about' },
    }),
    rowAction(signingKeyCalls.retire, {
      label: 'event.signingKey.retire',
      allowedAction: 'retire',
      danger: true,
      successText: sent,
      confirm: { text: 'signingKey.retire.about' },
    }),
    rowAction(signingKeyCalls.destroy, {
      label: 'event.signingKey.destroy',
      allowedAction: 'destroy',
      danger: true,
      successText: sent,
      confirm: { text: 'signingKey.destroy.about', type: true },
    }),
    rowAction(signingKeyCalls.writeOff, {
      label: 'signingKey.writeOff',
      allowedAction: 'writeOff',
      successText: sent,
      confirm: { text: 'signingKey.writeOff.about' },
    }),
  ],
  slots: { acts: Acts, above: KeyNotes },
  tabs: [
    { key: 'changes', title: 'keyChange.title', Body: Requests },
    { key: 'jobs', title: 'signingJob.title', when: () => mayCall(signingJobCalls.page), Body: JobsOfKey },
    { key: 'certificate', title: 'signingKey.certificate', Body: Certificates },
  ],
});
