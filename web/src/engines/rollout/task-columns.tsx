import { taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { Task, TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import type { Column, SortOf } from '../../kit/list/types.ts';
import { type ReleaseKind, sentBy, taskPath } from './release-kind.ts';
import { TaskProgress } from './task-progress.tsx';

type Columns = readonly Column<Task, SortOf<TaskCalls['page']>>[];

/** Columns of the tasks of a kind. */
export const taskColumns = (kind: ReleaseKind): Columns => columnsOf(() => kind, kind.content !== undefined);
/** Of tasks of several kinds that set something; `own` stands behind their names. */
export const columnsOfKinds = (kinds: readonly ReleaseKind[], own: Columns): Columns => {
  const [name, ...rest] = columnsOf((row) => kinds.find(({ of }) => of.kind === row.kind) ?? (kinds[0] as ReleaseKind), true);
  return [...(name ? [name] : []), ...own, ...rest];
};

const columnsOf = (kindOf: (row: Task) => ReleaseKind, isSet: boolean): Columns => [
  { key: 'name', title: 'firmware.task.name', sort: true, pinned: 'left', width: 210, link: (row) => taskPath(kindOf(row), row) },
  { key: 'state', title: 'firmware.task.state', kind: 'state', machine: taskMachine, width: 130 },
  {
    // What is set has its words in the console alone; what is sent is exported by its name.
    key: isSet ? '_content' : 'package',
    title: isSet ? 'release.content' : 'firmware.task.package',
    width: isSet ? 260 : 190,
    cell: (row) => sentBy(kindOf(row), row),
  },
  { key: 'tally', title: 'firmware.task.progress', width: isSet ? 210 : 250, cell: (row) => <TaskProgress row={row} tight /> },
  { key: 'total', title: 'firmware.task.total', kind: 'number', off: true },
  { key: 'releaseScope', title: 'firmware.task.scope', kind: 'name', names: 'firmware.task.scope.', off: true },
  { key: 'deptName', title: 'firmware.task.dept', width: 140 },
  { key: 'createdBy', title: 'firmware.task.createdBy', width: 140 },
  { key: 'createdAt', title: 'firmware.task.createdAt', kind: 'moment', sort: true, width: 170 },
  { key: 'startedAt', title: 'firmware.task.startedAt', kind: 'moment', off: true },
  { key: 'endedAt', title: 'firmware.task.endedAt', kind: 'moment', off: true },
  { key: 'expiresAt', title: 'firmware.task.expiresAt', kind: 'moment', off: true },
  { key: 'remark', title: 'firmware.task.remark', off: true },
];
