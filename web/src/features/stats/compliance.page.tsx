import type { Platform } from '@mooring/contract/kit/call';
import {
  type Compliance,
  complianceCalls,
  HistorySpan,
  type VersionHistory,
  type VersionKind,
  versionKinds,
} from '@mooring/contract/stats/compliance-calls';
import { useState } from 'react';
import { Link } from '../../kit/link.tsx';
import { ExportMenu } from '../../kit/list/export-button.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import type { ListSpec, RowOf } from '../../kit/list/types.ts';
import { page } from '../../kit/page.tsx';
import { PageHead } from '../../kit/page-head.tsx';
import { useCall } from '../../kit/queries.ts';
import { useSession } from '../../kit/session.ts';
import { Chart } from '../../ui/chart.tsx';
import { Select } from '../../ui/controls.tsx';
import { Stat } from '../../ui/figures.tsx';
import { ScrollRegion } from '../../ui/scroll-region.tsx';
import { Empty, Note } from '../../ui/states.tsx';
import { StatusTag } from '../../ui/status-tag.tsx';
import { type Format, useFormat, useT } from '../../ui/words.ts';
import { Answered, Card } from './cards/card.tsx';
import { hasParts, releaseOf, type VersionRow as VersionRowOf } from './compliance-kinds.ts';
import { WhereFilters } from './filters.tsx';
import { type Asked, listOf, useAsked } from './use-asked.ts';

interface Shown {
  readonly kind: VersionKind;
  readonly where: Asked['where'];
}

function VersionRow({ row, kind, where }: Shown & { row: VersionRowOf }) {
  const t = useT();
  const format = useFormat();
  const { platform } = useSession();
  const release = releaseOf(kind, row, where.deptId);
  const count = format.number(row.count);
  const state = row.approved === null ? 'none' : row.behind ? 'behind' : 'current';
  const tones = { none: 'idle', behind: 'wait', current: 'good' } as const;
  const approved = row.approved ?? '–';
  return (
    <tr>
      <th scope="row">{row.productName}</th>
      {hasParts(kind) ? (
        <td>
          <bdi>{row.partName}</bdi>
        </td>
      ) : null}
      <td>
        <bdi>{row.version}</bdi>
      </td>
      <td>
        {kind === 'firmware' ? (
          <Link to={listOf(platform, { ...where, productId: row.productId }, { firmware: row.version })}>{count}</Link>
        ) : (
          count
        )}
      </td>
      <td>{format.percent(row.share, 1)}</td>
      <td>
        <StatusTag tone={tones[state]}>{t(`compliance.${state}`)}</StatusTag>
      </td>
      <td>
        <bdi>{approved}</bdi>
      </td>
      <td>{release ? <Link to={release}>{t('compliance.release', { version: approved })}</Link> : null}</td>
    </tr>
  );
}

function Versions({ of, kind, where }: Shown & { of: Compliance }) {
  const t = useT();
  const heads = [
    'home.product',
    ...(hasParts(kind) ? [`compliance.part.${kind}` as const] : []),
    'compliance.version',
    'compliance.terminals',
    'compliance.share',
    'compliance.state',
    'compliance.approved',
  ] as const;
  return (
    <ScrollRegion className="m-panel-body m-scroll" label={t('compliance.byProduct')}>
      <table className="m-plain-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {t(head)}
              </th>
            ))}
            <th scope="col">{t('kit.table.acts')}</th>
          </tr>
        </thead>
        <tbody>
          {of.rows.map((row) => (
            <VersionRow key={`${row.productId} ${row.part} ${row.runs} ${row.version}`} row={row} kind={kind} where={where} />
          ))}
        </tbody>
      </table>
      {of.more > 0 ? <Note tone="info">{t('compliance.more', { count: of.more })}</Note> : null}
    </ScrollRegion>
  );
}

/** What has parts is counted once for each. */
const totalOf = (kind: VersionKind) => (hasParts(kind) ? 'compliance.counted' : 'compliance.terminals');

type DeptRow = RowOf<typeof complianceCalls.depts>;
/** The terminals that a row counts: of its organisation with all below it, or of that alone. */
const listOfRow = (platform: Platform, { deptId: _, ...where }: Asked['where'], { id, self }: DeptRow, filter = {}) =>
  self ? listOf(platform, where, { ...filter, deptId: String(id) }) : listOf(platform, { ...where, deptId: id }, filter);
const deptSpec = ({ kind, where }: Shown, platform: Platform): ListSpec<typeof complianceCalls.depts> => ({
  code: 'stats.compliance',
  title: 'compliance.depts',
  call: complianceCalls.depts,
  export: complianceCalls.exportDepts,
  columns: [
    { key: 'name', title: 'home.where', sort: true, width: 240, cell: (row: DeptRow) => <DeptCell row={row} /> },
    { key: 'total', title: totalOf(kind), kind: 'number', width: 120 },
    { key: '_behind', title: 'compliance.behind', width: 140, cell: (row: DeptRow) => <BehindCell row={row} kind={kind} where={where} /> },
    { key: '_share', title: 'compliance.current', width: 140, cell: (row: DeptRow) => <ShareCell row={row} /> },
  ],
  open: (row) => listOfRow(platform, where, row),
  search: { field: 'text', hint: 'home.where' },
  empty: { title: 'compliance.noDepts' },
});
/** The one that the rest lies below stands among them with what it holds itself. */
function DeptCell({ row }: { row: DeptRow }) {
  const t = useT();
  return row.self ? t('compliance.selfOf', { name: row.name }) : row.name;
}
function BehindCell({ row, kind, where }: Shown & { row: DeptRow }) {
  const format = useFormat();
  const { platform } = useSession();
  if (row.behind === 0 || kind !== 'firmware') return <>{format.number(row.behind)}</>;
  return <Link to={listOfRow(platform, where, row, { behind: 'true' })}>{format.number(row.behind)}</Link>;
}
function ShareCell({ row }: { row: DeptRow }) {
  return <>{upToDate(row, useFormat())}</>;
}
/** Of those that something is approved for. */
const upToDate = ({ judged, behind }: { readonly judged: number; readonly behind: number }, format: Format): string =>
  judged === 0 ? '–' : format.percent((judged - behind) / judged, 1);

function History({ kind, where }: Shown) {
  const t = useT();
  const format = useFormat();
  const [days, setDays] = useState<HistorySpan>('90');
  const found = useCall(complianceCalls.history, { ...where, kind, days }, { every: 300, keep: true });
  const several = (series: VersionHistory['series']) => new Set(series.map((one) => one.productName)).size > 1;
  return (
    <Card
      title={t('compliance.history')}
      note={
        <Select
          label={t('home.statistics.range')}
          width={160}
          value={days}
          onChange={(value = '90') => setDays(value)}
          options={HistorySpan.options.map((value) => ({ value, label: t('compliance.lastDays', { days: Number(value) }) }))}
        />
      }
    >
      <Answered of={found} height={310}>
        {({ days: categories, series, others }) => (
          <div className="m-panel-body">
            <Chart
              label={t('compliance.history')}
              kind="stack"
              write={(value) => format.number(value)}
              data={{
                categories,
                series: [
                  ...series.map(({ productName, partName, version, counts }) => {
                    const whole = [productName, partName, version].filter(Boolean).join(' ');
                    return { key: whole, name: several(series) ? whole : `${partName} ${version}`.trim(), values: counts };
                  }),
                  ...(others.some((count) => count > 0) ? [{ key: 'others', name: t('compliance.others'), values: others }] : []),
                ],
              }}
            />
          </div>
        )}
      </Answered>
    </Card>
  );
}

const exported = (kind: VersionKind) => [
  'productName',
  ...(hasParts(kind) ? ['partName'] : []),
  'version',
  'count',
  'share',
  'state',
  'approved',
];

/** Which terminals run what, which are behind what is approved for them, and the release that brings them there. */
function CompliancePage() {
  const t = useT();
  const format = useFormat();
  const asked = useAsked();
  const { where, kind } = asked;
  const { platform } = useSession();
  const found = useCall(complianceCalls.versions, { ...where, kind }, { every: 60, keep: true });
  return (
    <>
      <PageHead title={t('compliance.title')}>
        <Select
          label={t('compliance.kind')}
          width={140}
          value={kind}
          onChange={(value) => asked.set('kind', value === 'firmware' ? undefined : value)}
          options={versionKinds.map((value) => ({ value, label: t(`compliance.kind.${value}`) }))}
        />
        <WhereFilters asked={asked} />
      </PageHead>
      <div className="m-stack">
        <Card
          title={t(`compliance.versions.${kind}`)}
          note={
            <span className="m-row">
              <span className="m-muted">{t(`compliance.about.${kind}`)}</span>
              <ExportMenu call={complianceCalls.export} of={() => ({ criteria: { ...where, kind }, columns: exported(kind) })} />
            </span>
          }
        >
          <Answered of={found} height={200}>
            {(of) =>
              of.total === 0 ? (
                <Empty icon="upgrade" title={t('compliance.empty')} text={t('compliance.emptyText')} />
              ) : (
                <>
                  <div className="m-panel-body m-stats">
                    <Stat label={t(totalOf(kind))} value={format.number(of.total)} />
                    <Stat
                      label={t('compliance.behind')}
                      tone={of.behind > 0 ? 'wait' : of.judged > 0 ? 'good' : 'idle'}
                      value={format.number(of.behind)}
                    />
                    <Stat label={t('compliance.current')} value={upToDate(of, format)} />
                  </div>
                  <Versions of={of} kind={kind} where={where} />
                </>
              )
            }
          </Answered>
        </Card>
        <History kind={kind} where={where} />
        <div className="m-stack-tight">
          <h2>{t('compliance.depts')}</h2>
          <ListView
            key={`${platform} ${kind}`}
            spec={deptSpec({ kind, where }, platform)}
            queryPrefix="d."
            fixed={{
              kind,
              ...(where.deptId === undefined ? {} : { parentId: where.deptId }),
              ...(where.productId === undefined ? {} : { productId: where.productId }),
            }}
          />
        </div>
      </div>
    </>
  );
}

export const compliancePage = page({ Body: CompliancePage });
