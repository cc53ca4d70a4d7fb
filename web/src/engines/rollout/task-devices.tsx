import { resultMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { TaskDetail, TaskDeviceCalls } from '@mooring/contract/engines/rollout/task-calls';
import { useMemo } from 'react';
import { ListView } from '../../kit/list/list-view.tsx';
import { bulkAct, type ListSpec, type RowOf, rowAction } from '../../kit/list/types.ts';
import { useCall } from '../../kit/queries.ts';
import { idIn, useView } from '../../kit/view.ts';
import { Why } from '../../kit/why.tsx';
import { useLooseT } from '../../ui/words.ts';
import { Attempts } from './attempts.tsx';
import { FailureBars } from './failure-bars.tsx';
import { Holds } from './holds.tsx';
import { useKind } from './kind-context.tsx';
import { WhyNot } from './passed-over.tsx';
import type { ReleaseKind } from './release-kind.ts';
import { revertDevice } from './revert-task.tsx';

/** Why terminals of this release failed. */
function useReasons() {
  const loose = useLooseT();
  const { data = [], fetching } = useCall(useKind().calls.tasks.reasons, { id: idIn(useView()) });
  return { choices: data.map(({ reason }) => ({ value: reason, label: { text: loose(`reason.${reason}`, reason) } })), busy: fetching };
}

const CHANGED_SECONDS = 20;

const specOf = (kind: ReleaseKind): ListSpec<TaskDeviceCalls['page']> => {
  const {
    of,
    calls: { devices: calls },
    content,
  } = kind;
  return {
    code: `${of.kind}.result`,
    title: 'firmware.task.devices',
    call: calls.page,
    search: { field: 'sn', hint: 'device.sn' },
    nameOf: (row) => row.sn,
    // What a terminal changed by itself comes with its next words, not with a move of its result.
    ...(content ? { every: () => CHANGED_SECONDS } : {}),
    columns: [
      {
        key: 'sn',
        title: 'device.sn',
        kind: 'code',
        sort: true,
        pinned: 'left',
        width: 180,
        link: (row) => `/device/deviceDetail/${row.deviceId}`,
      },
      { key: 'state', title: 'firmware.result.state', kind: 'state', machine: resultMachine, width: 140 },
      { key: '_why', title: 'firmware.result.why', width: 260, cell: (row) => <Why row={row} set={content !== undefined} /> },
      ...(content
        ? [
            {
              key: 'differs',
              title: content.title ?? 'release.content',
              width: 200,
              cell: (row: RowOf<TaskDeviceCalls['page']>) => <Holds row={row} />,
            } as const,
          ]
        : [
            { key: 'fromVersion', title: 'firmware.result.from', width: 150 } as const,
            { key: 'version', title: 'firmware.result.version', width: 110 } as const,
          ]),
      { key: 'attempts', title: 'firmware.result.attempts', kind: 'number', off: true },
      { key: 'ring', title: 'firmware.result.ring', kind: 'number', off: true },
      { key: 'deviceName', title: 'device.name', off: true },
      { key: 'deptName', title: 'device.dept', width: 160 },
      { key: 'sentAt', title: 'firmware.result.sentAt', kind: 'moment', off: true },
      { key: 'endedAt', title: 'firmware.result.endedAt', kind: 'moment', width: 170 },
    ],
    filters: [
      { field: 'state', label: 'firmware.result.state', machine: resultMachine },
      { field: 'reason', label: 'firmware.result.reason', useChoices: useReasons },
    ],
    rowActions: [
      rowAction(calls.retry, {
        successText: 'done.retried',
        label: 'event.taskResult.retry',
        icon: 'retry',
        allowedAction: 'retry',
        input: (row: { id: number }) => ({ of: { ids: [row.id] } }),
      }),
      revertDevice,
    ],
    bulk: [bulkAct(calls.retry, { successText: 'firmware.task.retriedMany', label: 'firmware.task.retryMany', icon: 'retry' })],
    export: calls.export,
    empty: { title: 'firmware.task.noDevices', text: 'firmware.task.noDevicesText', icon: 'device' },
    slots: { aside: Attempts },
  };
};

/** The devices of a task: live, with the reason in words, and the failed ones to try again. */
export function TaskDevices({ row }: { row: TaskDetail }) {
  const kind = useKind();
  const spec = useMemo(() => specOf(kind), [kind]);
  return (
    <div className="m-stack">
      <FailureBars calls={kind.calls.tasks} row={row} field="d.reason" />
      <WhyNot taskId={row.id} />
      <ListView spec={spec} fixed={{ taskId: row.id }} queryPrefix="d." />
    </div>
  );
}
