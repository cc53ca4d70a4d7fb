import type { Drift, DriftCalls } from '@mooring/contract/engines/rollout/drift-calls';
import { driftCallsFor } from '@mooring/contract/release-drift';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { bulkAct, type Column, type ListSpec, type RowAction, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { mayCall } from '../../kit/session.ts';
import { useFormat } from '../../ui/words.ts';
import { ApplyAgain, appliedWords } from './apply-again.tsx';
import { foundOn, leftBy } from './drift-words.ts';
import { isPackaged, type ReleaseKind } from './release-kind.ts';
import { ReleaseLink } from './release-link.tsx';

const deviceOf = ({ deviceId }: Drift) => `/device/deviceDetail/${deviceId}`;

/** How many have drifted, behind the name of the tab. */
export function DriftCount({ calls }: { calls: Pick<DriftCalls, 'count'> }) {
  const format = useFormat();
  const { data } = useCall(calls.count, { criteria: {} }, { enabled: mayCall(calls.count) });
  if (!data || data.count === 0) return null;
  return <span className="m-tag m-tag-plain">{`${format.number(data.count)}${data.capped ? '+' : ''}`}</span>;
}

const againOf = (kind: ReleaseKind): RowAction<Drift> =>
  rowAction(driftCallsFor(kind.of).applyAgain, {
    key: `${kind.of.kind}.again`,
    label: 'drift.again',
    icon: 'retry',
    when: (row: Drift) => row.kind === kind.of.kind && row.taskName !== null && mayCall(driftCallsFor(kind.of).applyAgain),
    Dialog: ApplyAgain,
    successText: 'drift.appliedOne',
  });

/** Terminals that have something else than releases of these kinds left there; `own` stands behind their serial numbers. */
export function driftSpec(
  kinds: readonly ReleaseKind[],
  calls: DriftCalls,
  code: string,
  own: readonly Column<Drift>[] = [],
): ListSpec<DriftCalls['page']> {
  const kindOf = (row: Drift) => kinds.find(({ of }) => of.kind === row.kind) ?? (kinds[0] as ReleaseKind);
  const isVersion = kinds.every(isPackaged);
  return {
    code,
    title: 'drift.title',
    call: calls.page,
    search: { field: 'sn', hint: 'drift.search' },
    nameOf: (row) => row.sn,
    columns: [
      { key: 'sn', title: 'device.sn', kind: 'code', pinned: 'left', width: 160, link: deviceOf },
      ...(own as []),
      // What is set has its words in the console alone; a version is exported as it is.
      { key: isVersion ? 'version' : '_left', title: 'drift.wanted', width: 230, cell: (row: Drift) => leftBy(kindOf(row), row) } as never,
      { key: 'found', title: 'drift.found', width: 180, cell: (row) => foundOn(kindOf(row), row) },
      { key: 'since', title: 'drift.since', kind: 'moment', sort: true, width: 170 },
      {
        key: 'taskName',
        title: 'drift.task',
        width: 170,
        cell: (row) =>
          row.taskName === null ? (
            '–'
          ) : (
            <ReleaseLink kind={row.kind} id={row.taskId}>
              {row.taskName}
            </ReleaseLink>
          ),
      },
      { key: 'productName', title: 'drift.product', width: 160 },
      { key: 'deptName', title: 'drift.dept', width: 140 },
      { key: 'deviceName', title: 'device.name', off: true },
      { key: 'part', title: 'drift.what', kind: 'code', off: true },
      { key: 'releasedAt', title: 'drift.releasedAt', kind: 'moment', off: true },
    ],
    filters: [
      { field: 'what', label: 'drift.what' },
      { field: 'productId', label: 'drift.product', useChoices: useProducts },
      { field: 'deptId', label: 'drift.dept', kind: 'one', useChoices: useDepts },
      { field: 'since', label: 'drift.since' },
    ],
    rowActions: kinds.map(againOf),
    bulk: [
      bulkAct(calls.applyAgain, {
        key: 'again',
        label: 'drift.againMany',
        successText: appliedWords,
        text: 'drift.againText',
        icon: 'retry',
      }),
    ],
    export: calls.export,
    empty: { title: 'drift.empty', text: 'drift.emptyText', icon: 'device' },
  };
}
