import { appVersionCalls } from '@mooring/contract/app/calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { SigningJob, signingJobCalls } from '@mooring/contract/signing/job';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { signingJobMachine } from '@mooring/contract/signing/state-machines';
import { type Fact, Facts } from '../../kit/detail/detail-page.tsx';
import { download } from '../../kit/downloads.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { ListView } from '../../kit/list/list-view.tsx';
import { type RowOf, rowAction } from '../../kit/list/types.ts';
import { useAct, useCall } from '../../kit/queries.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';
import { mayCall } from '../../kit/session.ts';
import { StateTag } from '../../kit/state-tag.tsx';
import { takeAlong } from '../../kit/upload/handed.ts';
import { Confirm, Drawer } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { createStore, useStore } from '../../ui/store.ts';
import { useLooseT, useT } from '../../ui/words.ts';
import { delivering } from './deliver-signatures.tsx';
import { FileToSign } from './file-to-sign.tsx';
import { keyPath, useKeys } from './keys.ts';
import { useProfiles } from './profiles.tsx';

type Row = RowOf<typeof signingJobCalls.page>;

type Profile = OutputOf<typeof signingProfileCalls.list>[number];
function Upload(part: ControlPart<number | undefined>) {
  const found = useCall(signingProfileCalls.list, { text: '' }, { keep: true });
  const { profile, profileId } = part.values;
  const isBeside = (found.data ?? []).some((one) => one.id === profileId && one.kind === 'cms');
  return <FileToSign documents={isBeside || profile === 'cms'} {...part} />;
}
const initial = { profile: 'apk', rotation: true } as const;

/** First the profile, then what it leaves open. */
export function RequestSignature({ onClose }: { onClose: () => void }) {
  const t = useT();
  const found = useCall(signingProfileCalls.list, { text: '' }, { keep: true });
  const isOf = (test: (profile: Profile) => boolean) => (values: { readonly profileId?: unknown }) =>
    (found.data ?? []).some((one) => one.id === values.profileId && test(one));
  const isBeside = isOf(({ kind }) => kind === 'cms');
  const keys = useCall(signingKeyCalls.list, { text: '' }, { keep: true });
  const follows = (values: { readonly profileId?: unknown; readonly keyId?: unknown }) => {
    const ofProfile = (found.data ?? []).find((one) => one.id === values.profileId)?.keyId;
    return (keys.data ?? []).some((one) => one.id === (ofProfile ?? values.keyId) && one.follows !== null);
  };
  const hasKey = isOf(({ keyId, kind }) => keyId !== null || kind === 'external');
  return (
    <FormDialog
      title="signingJob.add"
      submit="signingJob.add"
      call={signingJobCalls.add}
      successText="signingJob.asked"
      about={<p className="m-muted">{t('signingJob.about')}</p>}
      initial={initial}
      fields={[
        { name: 'profileId', label: 'signingJob.profileId', help: 'signingJob.profileId.help', kind: 'one', useChoices: useProfiles },
        {
          name: 'profile',
          label: 'signingJob.profile',
          help: 'signingJob.profile.help',
          kind: 'radio',
          names: 'signingJob.profile.',
          when: (values) => !isBeside(values),
        },
        { name: 'fileId', label: 'signingJob.file', Control: Upload, wide: true },
        {
          name: 'keyId',
          label: 'signingJob.keyId',
          help: 'signingJob.keyId.help',
          kind: 'one',
          needed: true,
          useChoices: useKeys,
          when: (values) => !hasKey(values),
        },
        {
          name: 'rotation',
          label: 'signingJob.rotation',
          help: 'signingJob.rotation.help',
          when: (values) => follows(values) && values.profile !== 'cms' && !isBeside(values),
        },
        { name: 'purpose', label: 'signingJob.purpose', kind: 'area' },
      ]}
      onClose={onClose}
    />
  );
}

const refusing = createStore<Row | undefined>(undefined);
export function RefuseSignature() {
  const row = useStore(refusing);
  if (!row) return null;
  return (
    <FormDialog
      title="event.signingJob.refuse"
      of={row.fileName}
      submit="event.signingJob.refuse"
      call={signingJobCalls.refuse}
      successText="signingJob.refused"
      initial={{ id: row.id }}
      fields={[{ name: 'remark', label: 'signingJob.remark', kind: 'area' }]}
      onClose={() => refusing.set(() => undefined)}
    />
  );
}

/** No product at all is any: those that the person doesn't see are counted. */
function Products({ row: { products, productsUnseen: count } }: { row: Row }) {
  const t = useT();
  const names = products.join(', ');
  if (count === 0) return names;
  return names === '' ? t('signingJob.products.unseen', { count }) : t('signingJob.products.andUnseen', { names, count });
}

const facts: readonly Fact<Row>[] = [
  { key: 'state', title: 'signingJob.state', kind: 'state', machine: SigningJob.machine },
  { key: 'profile', title: 'signingJob.profile', kind: 'name', names: 'signingJob.profile.' },
  { key: 'packageName', title: 'signingJob.packageName', when: (one) => one.packageName !== '' },
  { key: 'versionName', title: 'signingJob.versionName', when: (one) => one.versionName !== '' },
  {
    key: 'versionCode',
    title: 'signingJob.versionCode',
    when: (one) => one.versionCode !== null,
    cell: (one) => <bdi>{String(one.versionCode)}</bdi>,
  },
  { key: 'sharedUser', title: 'signingJob.sharedUser', kind: 'code', when: (one) => one.sharedUser !== '' },
  { key: 'size', title: 'signingJob.size', kind: 'size' },
  {
    key: 'keyName',
    title: 'signingJob.keyId',
    link: (one) => (one.keyId === null ? undefined : keyPath({ id: one.keyId })),
    when: (one) => one.keyId !== null,
  },
  { key: 'rotation', title: 'signingJob.rotation', kind: 'yes', when: (one) => one.rotation },
  { key: 'oldestKeyName', title: 'signingJob.oldestKeyName', when: (one) => one.oldestKeyName !== null },
  { key: 'profileName', title: 'signingJob.profileId', when: (one) => one.profileName !== '' },
  {
    key: 'profileKind',
    title: 'signingJob.profileKind',
    kind: 'name',
    names: 'signingProfile.kind.',
    when: (one) => one.profileKind !== null,
  },
  { key: 'rootSha256', title: 'signingJob.rootSha256', kind: 'code', when: (one) => one.rootSha256 !== '' },
  {
    key: 'products',
    title: 'signingJob.products',
    cell: (one) => <Products row={one} />,
    when: (one) => one.products.length > 0 || one.productsUnseen > 0,
  },
  { key: 'purpose', title: 'signingJob.purpose', when: (one) => one.purpose !== '' },
  { key: 'author', title: 'signingJob.author' },
  { key: 'createdAt', title: 'signingJob.createdAt', kind: 'moment' },
  { key: 'decidedBy', title: 'signingJob.decidedBy', when: (one) => one.decidedBy !== null },
  { key: 'decidedAt', title: 'signingJob.decidedAt', kind: 'moment', when: (one) => one.decidedAt !== null },
  { key: 'waitsSince', title: 'signingJob.waitsSince', kind: 'moment', when: (one) => one.waitsSince !== null },
  { key: 'deliveredBy', title: 'signingJob.deliveredBy', when: (one) => one.deliveredBy !== null },
  { key: 'deliveredAt', title: 'signingJob.deliveredAt', kind: 'moment', when: (one) => one.deliveredAt !== null },
  { key: 'signedAt', title: 'signingJob.signedAt', kind: 'moment', when: (one) => one.signedAt !== null },
  { key: 'stampedAt', title: 'signingJob.stampedAt', kind: 'moment', when: (one) => one.stampedAt !== null },
  { key: 'stampedBy', title: 'signingJob.stampedBy', when: (one) => one.stampedBy !== '' },
  { key: 'keptUntil', title: 'signingJob.keptUntil', kind: 'moment', when: (one) => one.keptUntil !== null },
  { key: 'sha256Before', title: 'signingJob.sha256Before', kind: 'code' },
  { key: 'sha256After', title: 'signingJob.sha256After', kind: 'code', when: (one) => one.sha256After !== null },
  { key: 'certificateSha256', title: 'signingJob.certificateSha256', kind: 'code' },
];

const testFlags = ['debuggable', 'testOnly'] as const;
/** What no shop's terminal should get stands above all else. */
function ForTests({ row }: { row: Row }) {
  const t = useT();
  const flags = testFlags.filter((flag) => row[flag]);
  if (flags.length === 0) return null;
  return <Note tone="warn">{t('signingJob.forTests', { flags: flags.map((flag) => t(`signingJob.${flag}`)).join(', ') })}</Note>;
}

const approving = createStore<Row | undefined>(undefined);
const decided = [
  'packageName',
  'versionName',
  'versionCode',
  'sharedUser',
  'size',
  'keyName',
  'rotation',
  'oldestKeyName',
  'profileName',
  'profileKind',
  'rootSha256',
  'products',
  'purpose',
  'author',
  'sha256Before',
  'certificateSha256',
];
/** What is approved stands above the button. */
export function ApproveSignature() {
  const row = useStore(approving);
  return row ? <Approve row={row} /> : null;
}

/** It is signed all the same: who agrees knows of it. */
function CertificateOver({ row }: { row: Row }) {
  const t = useT();
  return row.certificateOver ? <Note tone="warn">{t('signingJob.certificateOver.about')}</Note> : null;
}

function Approve({ row }: { row: Row }) {
  const t = useT();
  const onClose = () => approving.set(() => undefined);
  const name = row.fileName;
  const act = useAct(signingJobCalls.approve, { successText: { key: 'signingJob.approved', params: { name } }, done: onClose });
  return (
    <Confirm
      open
      title={t('kit.act.sure', { act: t('event.signingJob.approve'), name })}
      confirm={t('event.signingJob.approve')}
      busy={act.busy}
      onClose={onClose}
      onConfirm={() => act.run({ id: row.id })}
    >
      <div className="m-stack">
        <p>{t('signingJob.approve.about', { name })}</p>
        <CertificateOver row={row} />
        <ForTests row={row} />
        <Facts<Row> row={row} facts={facts.filter((fact) => decided.includes(fact.key) && (fact.when?.(row) ?? true))} />
      </div>
    </Confirm>
  );
}

const outdatedText = {
  profile: 'fault.SIGNING_PROFILE_CHANGED',
  certificate: 'fault.KEY_CERTIFICATE_CHANGED',
  rotation: 'fault.KEY_ROTATION_CHANGED',
} as const;
/** The record of one: what, with which key, by whom. */
function Details({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useT();
  const loose = useLooseT();
  return (
    <Drawer open title={row.fileName} onClose={onClose} width={640}>
      <div className="m-stack">
        {row.remark ? <Note tone="warn">{row.remark}</Note> : null}
        {row.reason ? <Note tone="danger">{loose(`fault.${row.reason}`, row.reason)}</Note> : null}
        {row.outdated ? <Note tone="danger">{t(outdatedText[row.outdated])}</Note> : null}
        {row.waitsSince && !row.outdated ? (
          <Note tone="warn">{t(row.waitsFor === 'time' ? 'signingJob.waitsTime' : 'signingJob.waits')}</Note>
        ) : null}
        <CertificateOver row={row} />
        <ForTests row={row} />
        <Facts<Row> row={row} facts={facts.filter((fact) => fact.when?.(row) ?? true)} />
      </div>
    </Drawer>
  );
}

/** What waits for the token or a time stamp is neither refused nor lost; what was changed since is signed by nobody. */
function State({ row }: { row: Row }) {
  const t = useT();
  if (row.outdated) return <StatusTag tone="bad">{t(`signingJob.outdated.${row.outdated}`)}</StatusTag>;
  if (row.waitsSince !== null)
    return <StatusTag tone="wait">{t(row.waitsFor === 'time' ? 'signingJob.waitingTime' : 'signingJob.waiting')}</StatusTag>;
  return <StateTag machine={signingJobMachine} code={row.state} />;
}

const underWay: readonly string[] = ['approved', 'signing'];
const jobs = listOf(SigningJob, signingJobCalls, {
  code: 'signing.jobs',
  columns: [
    { key: 'fileName', width: 220 },
    { key: 'state', width: 190, cell: (row) => <State row={row} /> },
    { key: 'keyName', width: 160 },
    { key: 'profile', width: 170 },
    { key: 'profileName', width: 160 },
    { key: 'packageName', width: 180 },
    { key: 'author', width: 150 },
    { key: 'createdAt', kind: 'ago', width: 120 },
    { key: 'decidedBy', width: 150 },
    off('versionName'),
    off('versionCode'),
    off('debuggable'),
    off('testOnly'),
    off('sharedUser'),
    off('rotation'),
    off('oldestKeyName'),
    off('waitsSince'),
    off('waitsFor'),
    off('outdated'),
    off('stampedAt'),
    off('stampedBy'),
    off('purpose'),
    off('profileKind'),
    off('rootSha256'),
    { ...off('products'), cell: (row: Row) => <Products row={row} /> },
    off('productsUnseen'),
    off('size'),
    off('remark'),
    off('deliveredBy'),
    off('deliveredAt'),
    off('signedAt'),
    off('keptUntil'),
    off('sha256Before'),
    off('sha256After'),
    off('certificateSha256'),
    off('certificateOver'),
  ],
  filters: [
    { field: 'state', label: 'signingJob.state', machine: SigningJob.machine },
    { field: 'profile', label: 'signingJob.profile', names: 'signingJob.profile.' },
    { field: 'profileId', label: 'signingJob.profileId', useChoices: useProfiles },
    { field: 'keyId', label: 'signingJob.keyId', useChoices: useKeys },
  ],
  rowActions: [
    {
      key: 'download',
      label: 'signingJob.download',
      icon: 'download',
      allowedAction: 'download',
      run: (row) => download(signingJobCalls.download, { id: row.id }, row.resultName ?? row.fileName),
    },
    {
      key: 'reuse',
      label: 'signingJob.reuse',
      icon: 'app',
      allowedAction: 'reuse',
      when: () => mayCall(appVersionCalls.add),
      run: ({ id }) => takeAlong(signingJobCalls.reuse, { id }, '/dev?do=upload'),
    },
    {
      key: 'stamp',
      label: 'signingJob.stamp',
      icon: 'download',
      allowedAction: 'stamp',
      run: (row) => download(signingJobCalls.stamp, { id: row.id }, `${row.resultName ?? row.fileName}.tst`),
    },
    {
      key: 'source',
      label: 'signingJob.source',
      icon: 'download',
      allowedAction: 'source',
      run: (row) => download(signingJobCalls.source, { id: row.id }, row.fileName),
    },
    {
      key: 'approve',
      label: 'event.signingJob.approve',
      icon: 'check',
      allowedAction: 'approve',
      run: (row) => approving.set(() => row),
    },
    {
      key: 'refuse',
      label: 'event.signingJob.refuse',
      allowedAction: 'refuse',
      danger: true,
      run: (row) => refusing.set(() => row),
    },
    {
      key: 'deliver',
      label: 'signingJob.deliver',
      icon: 'upload',
      allowedAction: 'deliver',
      run: (row) => delivering.set(() => row),
    },
    rowAction(signingJobCalls.withdraw, {
      label: 'event.signingJob.withdraw',
      icon: 'retry',
      allowedAction: 'withdraw',
      successText: 'signingJob.withdrawn',
    }),
  ],
  nameOf: (row) => row.fileName,
  every: (rows: readonly Row[]) => (rows.some((row) => underWay.includes(row.state) && row.waitsSince === null) ? 2 : undefined),
  empty: { title: 'signingJob.empty', text: 'signingJob.emptyText', icon: 'signature' },
  slots: { aside: Details },
});

export const Jobs = () => <ListView spec={jobs} queryPrefix="j." />;
export const JobsOfKey = ({ row }: { row: { readonly id: number } }) => <ListView spec={jobs} fixed={{ keyId: row.id }} queryPrefix="j." />;
