import { appVersionCalls } from '@mooring/contract/app/calls';
import { appDifferenceCalls } from '@mooring/contract/app/difference-calls';
import { neededAndroid } from '@mooring/contract/app/needed-android';
import { Differences } from '../../engines/rollout/differences-tab.tsx';
import { Places } from '../../engines/rollout/places-tab.tsx';
import { allows } from '../../kit/allows.ts';
import { CallFailed } from '../../kit/dead-end.tsx';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { Link } from '../../kit/link.tsx';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { Bone, Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { VersionActs } from './acts.tsx';
import { AppIcon } from './app-icon.tsx';
import { Audience } from './audience.tsx';
import { Changes } from './changes.tsx';
import { History } from './history.tsx';
import { ListingView } from './listing-view.tsx';
import { OnTerminals } from './on-terminals.tsx';
import { appPath } from './paths.ts';
import { Android, VersionState } from './state-cells.tsx';
import { labelsOf, nameOf } from './version-name.ts';
import type { Version } from './versions.tsx';

/** Whom a reviewer decides for. */
function StandsInFor({ row }: { row: Version }) {
  const t = useT();
  const { data } = useCall(appVersionCalls.standsInFor, { id: row.id });
  return data?.length ? <Note>{t('approval.standsInFor', { absent: data.join(', ') })}</Note> : null;
}
const Above = ({ row }: { row: Version }) => (allows(row, 'approve') ? <StandsInFor row={row} /> : <Said row={row} />);

/** What a reviewer wrote, as long as it is to be answered. */
function Said({ row }: { row: Version }) {
  const t = useT();
  if (row.comment === '' || (row.reviewState !== '3' && row.reviewState !== '4' && row.reviewState !== '0')) return null;
  const isOut = row.reviewState === '4';
  return (
    <Note tone="warn">
      <b>{t(isOut ? 'appVersion.said.delisted' : 'appVersion.said.rejected', { by: row.decidedBy })}</b>
      <div className="m-said">{row.comment}</div>
    </Note>
  );
}

const flags = [
  ['debuggable', 'appVersion.debuggable'],
  ['testOnly', 'appVersion.testOnly'],
  ['publicTestKey', 'appVersion.publicTestKey'],
] as const;
const flagsOf = (row: Version) => flags.filter(([key]) => row[key]);
function Flags({ row }: { row: Version }) {
  const t = useT();
  return flagsOf(row)
    .map(([, text]) => t(text))
    .join(', ');
}

function VersionPlaces({ row }: { row: Version }) {
  const { data, error, retry } = useCall(appVersionCalls.places, { id: row.id });
  if (error) return <CallFailed part error={error} onRetry={retry} />;
  return data ? <Places places={data} publishState={row.publishState} /> : <Bone height={120} />;
}

/** One version: what changed with it, what the catalogue says of it, and what comes next. */
export const versionPage = detailPage({
  call: appVersionCalls.detail,
  nameOf: (row) => `${row.appName} ${nameOf(row)}`,
  note: (row) => <VersionState of={row} />,
  facts: [
    { key: 'appName', title: 'appVersion.appId', cell: (row) => <Link to={appPath({ id: row.appId })}>{row.appName}</Link> },
    { key: 'packageName', title: 'appVersion.packageName', kind: 'code' },
    { key: 'versionCode', title: 'appVersion.versionCode', cell: (row) => <bdi>{String(row.versionCode)}</bdi> },
    { key: 'deptName', title: 'appVersion.deptId', when: (row) => row.deptName !== '' },
    { key: 'labels', title: 'appVersion.labels', when: (row) => labelsOf(row).length > 0, cell: (row) => labelsOf(row).join(', ') },
    { key: 'minSdk', title: 'appVersion.minSdk', cell: (row) => <Android level={neededAndroid(row)} /> },
    { key: 'maxSdk', title: 'appVersion.maxSdk', when: (row) => row.maxSdk !== null, cell: (row) => <Android level={row.maxSdk ?? 0} /> },
    { key: 'sharedUser', title: 'appVersion.sharedUser', kind: 'code', when: (row) => row.sharedUser !== '' },
    { key: 'size', title: 'appVersion.size', kind: 'size' },
    { key: '_flags', title: 'appVersion.channel', when: (row) => flagsOf(row).length > 0, cell: (row) => <Flags row={row} /> },
    { key: 'sha256', title: 'appVersion.sha256', kind: 'code' },
    { key: 'submittedBy', title: 'appVersion.submittedBy', when: (row) => row.submittedBy !== '' },
    { key: 'submittedAt', title: 'appVersion.submittedAt', kind: 'moment', when: (row) => row.submittedAt !== null },
    {
      key: 'auditResult',
      title: 'appVersion.auditResult',
      kind: 'name',
      names: 'appVersion.auditResult.',
      when: (row) => row.auditResult !== null,
    },
    { key: 'decidedBy', title: 'appVersion.decidedBy', when: (row) => row.decidedBy !== '' },
    {
      key: 'decidedFor',
      title: 'appVersion.decidedFor',
      when: (row) => row.decidedFor.length > 0,
      cell: (row) => row.decidedFor.join(', '),
    },
    { key: 'decidedAt', title: 'appVersion.decidedAt', kind: 'moment', when: (row) => row.decidedAt !== null },
  ],
  slots: { picture: ({ row }) => <AppIcon id={row.iconId} size={48} />, acts: VersionActs, above: Above },
  tabs: [
    { key: 'changes', title: 'appVersion.tab.changes', Body: Changes },
    { key: 'listing', title: 'appVersion.tab.listing', Body: ListingView },
    { key: 'terminals', title: 'appVersion.tab.terminals', Body: OnTerminals },
    {
      key: 'differences',
      title: 'difference.title',
      // Of what is out, or was: nobody goes from a draft to anything.
      when: (row) => row.own && row.reviewState === '2' && mayCall(appDifferenceCalls.page),
      Body: ({ row }) => <Differences calls={appDifferenceCalls} packageId={row.id} several />,
    },
    {
      key: 'places',
      title: 'place.title',
      // For whom it is listed isn't told where it lies.
      when: (row) => row.own && row.reviewState === '2',
      Body: VersionPlaces,
    },
    { key: 'audience', title: 'appVersion.section.audience', Body: Audience },
    { key: 'history', title: 'appVersion.tab.history', when: (row) => row.own, Body: ({ row }) => <History row={{ id: row.appId }} /> },
  ],
});
