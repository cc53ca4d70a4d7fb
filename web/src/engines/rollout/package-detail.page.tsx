import { deviceCalls } from '@mooring/contract/device/calls';
import type { Package, PackageDetail } from '@mooring/contract/engines/rollout/package-calls';
import { packageMachine } from '@mooring/contract/engines/rollout/state-machines';
import { useMemo } from 'react';
import { CallFailed } from '../../kit/dead-end.tsx';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { ListView } from '../../kit/list/list-view.tsx';
import type { RowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import type { Page } from '../../kit/route.ts';
import { mayCall } from '../../kit/session.ts';
import { Chart } from '../../ui/chart.tsx';
import { Bone } from '../../ui/states.tsx';
import { type TextKey, useT } from '../../ui/words.ts';
import { Differences } from './differences-tab.tsx';
import { pageOf, usePackageRelease } from './kind-context.tsx';
import { isPublished, packageActions, releasePath } from './package-actions.ts';
import { Places } from './places-tab.tsx';
import { type PackageRelease, type ReleaseKind, taskPath } from './release-kind.ts';
import { taskColumns } from './task-columns.tsx';

type Calls = ReleaseKind['calls']['tasks'];
/** Releases that sent it out; a new one is begun where `released` is named. */
function SentBy({
  row,
  calls,
  code,
  queryPrefix,
  released,
}: {
  row: Package;
  calls: Calls;
  code: string;
  queryPrefix: string;
  released?: TextKey;
}) {
  const kind = usePackageRelease();
  const spec = useMemo(
    () => ({
      code: `${kind.of.kind}.package.${code}`,
      title: kind.title,
      call: calls.page,
      columns: taskColumns(kind),
      open: (task: { id: number }) => taskPath(kind, task),
      actions:
        released && isPublished(row.publishState)
          ? [{ key: 'release', label: released, icon: 'send', call: calls.add, to: releasePath(kind, row) } as const]
          : [],
      empty: { title: 'firmware.package.noTasks', text: 'firmware.package.noTasksText', icon: 'upgrade' } as const,
    }),
    [kind, row, calls, code, released],
  );
  return <ListView spec={spec} fixed={{ packageId: row.id }} queryPrefix={queryPrefix} />;
}
const Releases = ({ row }: { row: Package }) => (
  <SentBy row={row} calls={usePackageRelease().calls.tasks} code="task" queryPrefix="t." released="firmware.package.release" />
);
function PreTasks({ row }: { row: Package }) {
  const { preTasks } = usePackageRelease().calls;
  return preTasks ? <SentBy row={row} calls={preTasks} code="preTask" queryPrefix="p." /> : null;
}

function Deltas({ row }: { row: Package }) {
  const { differences } = usePackageRelease().calls;
  return differences ? <Differences calls={differences} packageId={row.id} /> : null;
}

const PackagePlaces = ({ row }: { row: PackageDetail }) => <Places places={row.places} publishState={row.publishState} />;

/** Product, version and build, as far as the file names them. */
function CarriedText({ product, version, build, from }: NonNullable<Package['carried']>) {
  const t = useT();
  return `${[product, version, build].filter(Boolean).join(' · ')} (${t(`firmware.package.carried.${from}`)})`;
}

const SHOWN = 20;

/** Which versions the terminals of its product run. */
function Spread({ row }: { row: Package }) {
  const t = useT();
  const found = useCall(deviceCalls.firmwares, { productId: row.productId });
  if (found.error) return <CallFailed part error={found.error} onRetry={found.retry} />;
  if (!found.data) return <Bone height={240} />;
  const shown = found.data.slice(0, SHOWN);
  return (
    <section className="m-panel m-panel-body">
      <Chart
        kind="bar"
        label={t('firmware.package.spread')}
        data={{
          categories: shown.map((one) =>
            one.version === row.version ? t('firmware.package.thisVersion', { version: one.version }) : one.version,
          ),
          series: [{ key: 'all', name: t('firmware.task.devices'), values: shown.map((one) => one.count), tone: 'good' }],
        }}
      />
    </section>
  );
}

export function packageDetail(kind: PackageRelease): Page {
  const { tasks, preTasks, packages, differences } = kind.calls;
  const { name } = kind.packages;
  return pageOf(
    [kind],
    detailPage({
      call: packages.detail,
      nameOf: (row) => [row.productName, row.name, row.version].filter(Boolean).join(' '),
      state: { machine: packageMachine, of: (row) => row.publishState },
      facts: [
        { key: 'productName', title: 'firmware.package.product' },
        ...(name ? [{ key: 'name', title: name.label } as const] : []),
        { key: 'version', title: 'firmware.package.version' },
        { key: 'kind', title: 'firmware.package.kind', kind: 'name', names: 'firmware.package.kind.' },
        { key: 'base', title: 'firmware.package.base', when: (row) => row.base !== null },
        { key: 'size', title: 'firmware.package.size', kind: 'size' },
        { key: 'fileName', title: 'firmware.package.file' },
        {
          key: 'carried',
          title: 'firmware.package.carried',
          cell: ({ carried }) => carried && <CarriedText {...carried} />,
          when: ({ carried }) => carried !== null,
        },
        { key: 'sha256', title: 'firmware.package.sha256', kind: 'code' },
        { key: 'md5', title: 'firmware.package.md5', kind: 'code' },
        { key: 'createdBy', title: 'firmware.package.createdBy' },
        { key: 'createdAt', title: 'firmware.package.createdAt', kind: 'moment' },
        { key: 'note', title: 'firmware.package.note', when: (row) => row.note !== '' },
      ],
      actions: packageActions(kind) as readonly RowAction<Package>[],
      tabs: [
        { key: 'releases', title: kind.title, when: () => mayCall(tasks.page), Body: Releases },
        ...(preTasks ? [{ key: 'pre', title: 'firmware.pretask.title', when: () => mayCall(preTasks.page), Body: PreTasks } as const] : []),
        ...(differences
          ? [
              {
                key: 'differences',
                title: 'difference.title',
                when: (row: Package) => row.kind === 'TA' && mayCall(differences.page),
                Body: Deltas,
              } as const,
            ]
          : []),
        {
          key: 'places',
          title: 'place.title',
          // Whoever inherits it isn't told where it lies.
          when: (row) => row.places.length > 0 || row.allowedActions.length > 0,
          Body: PackagePlaces,
        },
        // Of firmware alone the versions of the fleet are counted as they change.
        ...(kind.packages.counted
          ? [{ key: 'spread', title: 'firmware.package.spread', when: () => mayCall(deviceCalls.firmwares), Body: Spread } as const]
          : []),
      ],
    }),
  );
}
