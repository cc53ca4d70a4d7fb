import { deviceCalls } from '@mooring/contract/device/calls';
import { hardwareTestCalls } from '@mooring/contract/hardware-test/calls';
import { hardwareTestMachine } from '@mooring/contract/hardware-test/state-machines';
import type { OutputOf } from '@mooring/contract/kit/call';
import type { Tone } from '@mooring/contract/kit/state-machine';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { Link } from '../../kit/link.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import { mayCall } from '../../kit/session.ts';
import { StatusTag } from '../../ui/status-tag.tsx';
import { Table } from '../../ui/table.tsx';
import { useFormat, useLooseT, useT } from '../../ui/words.ts';
import { PartNames } from './part-names.tsx';
import { testActs, testList } from './test-list.tsx';

type Test = OutputOf<typeof hardwareTestCalls.detail>;
type Result = Test['results'][number];
const tones: Readonly<Record<NonNullable<Result['outcome']>, Tone>> = { passed: 'good', failed: 'bad', absent: 'ended' };

function Outcome({ outcome }: { outcome: Result['outcome'] }) {
  const t = useT();
  return outcome === null ? (
    <StatusTag tone="idle">{t('hardwareTest.outcome.none')}</StatusTag>
  ) : (
    <StatusTag tone={tones[outcome]}>{t(`hardwareTest.outcome.${outcome}`)}</StatusTag>
  );
}

/** Why it failed, in our words where we know them, and in the terminal's. */
function Reason({ reason, message }: { reason: string | null; message?: string | null }) {
  const loose = useLooseT();
  return <>{[reason === null ? '' : loose(`hardwareTest.reason.${reason}`, reason), message ?? ''].filter(Boolean).join(' · ') || '–'}</>;
}

function Figures({ figures }: { figures: Result['figures'] }) {
  const loose = useLooseT();
  const format = useFormat();
  const words = Object.entries(figures).map(([name, value]) => {
    const said = typeof value === 'number' ? format.number(value) : String(value);
    return `${loose(`hardwareTest.figure.${name}`, name)}: ${said}`;
  });
  return <>{words.length === 0 ? '–' : words.join(' · ')}</>;
}

/** Each part with what the terminal found. */
function Results({ row }: { row: Test }) {
  const t = useT();
  return (
    <Table
      label={t('hardwareTest.results')}
      rows={row.results}
      idOf={(one) => one.part}
      nameOf={(one) => t(`hardwareTest.part.${one.part}`)}
      columns={[
        { key: 'part', title: t('hardwareTest.part'), width: 160, cell: (one) => t(`hardwareTest.part.${one.part}`) },
        { key: 'outcome', title: t('hardwareTest.outcome'), width: 150, cell: (one) => <Outcome outcome={one.outcome} /> },
        { key: 'reason', title: t('hardwareTest.reason'), width: 260, cell: (one) => <Reason reason={one.reason} message={one.message} /> },
        { key: 'figures', title: t('hardwareTest.figures'), width: 320, cell: (one) => <Figures figures={one.figures} /> },
      ]}
    />
  );
}

const History = ({ row }: { row: Test }) => (
  <ListView
    spec={{ ...testList, code: 'hardwareTest.history', title: 'hardwareTest.history', filters: [], actions: [] }}
    fixed={{ deviceId: row.deviceId }}
    queryPrefix="h."
  />
);

const Device = ({ row }: { row: Test }) =>
  mayCall(deviceCalls.detail) ? <Link to={`/device/deviceDetail/${row.deviceId}`}>{row.sn}</Link> : row.sn;

export const hardwareTestDetail = detailPage({
  call: hardwareTestCalls.detail,
  nameOf: (row) => row.sn,
  state: { machine: hardwareTestMachine, of: (row) => row.state },
  every: (row) => (row.state === 'requested' || row.state === 'running' ? 5 : undefined),
  facts: [
    { key: '_device', title: 'hardwareTest.device', cell: (row) => <Device row={row} /> },
    { key: 'productName', title: 'device.product' },
    { key: 'deptName', title: 'device.dept' },
    { key: '_failed', title: 'hardwareTest.failedParts', cell: (row) => <PartNames parts={row.failedParts} /> },
    { key: '_reason', title: 'hardwareTest.reason', cell: (row) => <Reason reason={row.reason} />, when: (row) => row.reason !== null },
    { key: 'byName', title: 'hardwareTest.byName' },
    { key: 'createdAt', title: 'hardwareTest.createdAt', kind: 'moment' },
    { key: 'startedAt', title: 'hardwareTest.startedAt', kind: 'moment', when: (row) => row.startedAt !== null },
    { key: 'endedAt', title: 'hardwareTest.endedAt', kind: 'moment', when: (row) => row.endedAt !== null },
    { key: 'expiresAt', title: 'hardwareTest.expiresAt', kind: 'moment', when: (row) => row.endedAt === null },
  ],
  actions: testActs,
  tabs: [
    { key: 'results', title: 'hardwareTest.results', Body: Results },
    { key: 'history', title: 'hardwareTest.history', Body: History },
  ],
});
