import { taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { failedResults, retriedIn, taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { Task, TaskDetail } from '@mooring/contract/engines/rollout/task-calls';
import { detailPage, type Fact } from '../../kit/detail/detail-page.tsx';
import { Link } from '../../kit/link.tsx';
import { type RowAction, rowAction } from '../../kit/list/types.ts';
import type { Page } from '../../kit/route.ts';
import { mayCall } from '../../kit/session.ts';
import { pageOf, useKind } from './kind-context.tsx';
import { AskedOpening, useOpeningWords } from './openings.tsx';
import { packagePath } from './package-actions.ts';
import { type ContentSpec, isPackaged, type ReleaseKind, sentBy } from './release-kind.ts';
import { revertTask } from './revert-task.tsx';
import { ScopeName } from './scope-name.tsx';
import { taskActions } from './task-actions.ts';
import { subjectIn } from './task-copies.ts';
import { TaskCurve } from './task-curve.tsx';
import { TaskDevices } from './task-devices.tsx';
import { TaskHead } from './task-head.tsx';
import { openRing } from './task-rings.tsx';
import { TaskSettings } from './task-settings.tsx';
import { withKind } from './with-kind.ts';

type Alongside = NonNullable<ContentSpec['along']>;

/** It goes on within its time alone. The server judges by its own clock. */
const isRetried = ({ state, expiresAt }: TaskDetail) =>
  retriedIn.includes(state) && (expiresAt === null || Date.parse(expiresAt) > Date.now());

/** Every failed device of the task goes out again. */
const retryFailed = ({ calls }: ReleaseKind) =>
  rowAction(calls.devices.retry, {
    successText: 'done.retried',
    label: 'firmware.task.retryAll',
    icon: 'retry',
    when: (row: TaskDetail) => isRetried(row) && failedResults.some((code) => (row.tally[code] ?? 0) > 0),
    input: (row: TaskDetail) => ({ of: { criteria: { taskId: row.id, state: { in: [...failedResults] } } } }),
  });

/** What it sends; a package leads to its own page. */
function Sent({ kind, row }: { kind: ReleaseKind; row: TaskDetail }) {
  // What travels along has a line of its own.
  const name = row.package
    ? withKind(sentBy(kind, row), row.package.kind)
    : row.content
      ? kind.content?.words(row.content)
      : sentBy(kind, row);
  const leads = row.package && !row.package.deleted && isPackaged(kind) && mayCall(kind.calls.packages.detail);
  return leads && row.package ? <Link to={packagePath(kind, row.package)}>{name}</Link> : name;
}

/** What travels along with what it sends; whoever may open that finds the way. */
function Along({ along, row }: { along: Alongside; row: TaskDetail }) {
  const found = along.of(row.content ?? {});
  return found?.to ? <Link to={found.to}>{found.name}</Link> : found?.name;
}

const alongOf = (along: Alongside): Fact<TaskDetail> => ({
  key: '_along',
  title: along.title,
  cell: (row) => <Along along={along} row={row} />,
  when: (row) => along.of(row.content ?? {}) !== undefined,
});

const factsOf = (kind: ReleaseKind): readonly Fact<TaskDetail>[] => [
  {
    key: '_package',
    title: kind.content ? (kind.content.title ?? 'release.content') : 'firmware.task.package',
    cell: (row) => <Sent kind={kind} row={row} />,
  },
  ...(kind.content?.along ? [alongOf(kind.content.along)] : []),
  ...(kind.calls.preTasks
    ? [{ key: 'taskClass', title: 'firmware.task.class', kind: 'name', names: 'firmware.task.class.' } as const]
    : []),
  { key: 'releaseScope', title: 'firmware.task.scope', cell: (row) => <ScopeName row={row} /> },
  { key: 'deptName', title: 'firmware.task.dept' },
  { key: 'createdBy', title: 'firmware.task.createdBy' },
  { key: 'createdAt', title: 'firmware.task.createdAt', kind: 'moment' },
  { key: 'startAt', title: 'firmware.task.startAt', kind: 'moment', when: (row) => row.startAt !== null },
  { key: 'startedAt', title: 'firmware.task.startedAt', kind: 'moment', when: (row) => row.startedAt !== null },
  { key: 'endedAt', title: 'firmware.task.endedAt', kind: 'moment', when: (row) => row.endedAt !== null },
  { key: 'expiresAt', title: 'firmware.task.expiresAt', kind: 'moment', when: (row) => row.expiresAt !== null },
  { key: 'remark', title: 'firmware.task.remark', when: (row) => row.remark !== '' },
];

/** What was agreed for it. Before its terminals are chosen, who may write it is told when it opens by those that would be. */
function Settings({ row }: { row: TaskDetail }) {
  const kind = useKind();
  const words = useOpeningWords()(row.openings);
  const asks =
    row.openings === null && row.taskClass === taskClasses.daily && row.delivery.window !== null && row.allowedActions.includes('edit');
  const input = { ...subjectIn(row), scope: row.scope, delivery: row.delivery, taskId: row.id };
  const opens = asks ? <AskedOpening call={kind.calls.tasks.preview} input={input} say={(hours) => hours} /> : words;
  return <TaskSettings kind={kind} row={row} opens={opens} />;
}

export const taskDetail = (kind: ReleaseKind): Page =>
  pageOf(
    [kind],
    detailPage({
      call: kind.calls.tasks.detail,
      nameOf: (row) => row.name,
      state: { machine: taskMachine, of: (row) => row.state },
      facts: factsOf(kind),
      actions: [
        openRing(kind.calls.tasks),
        retryFailed(kind),
        ...(taskActions(kind, kind.calls.tasks) as readonly RowAction<Task>[]),
        revertTask,
      ],
      slots: { above: TaskHead },
      tabs: [
        { key: 'devices', title: 'firmware.task.devices', Body: TaskDevices },
        { key: 'curve', title: 'firmware.task.curve', Body: TaskCurve },
        { key: 'settings', title: 'firmware.task.settings', Body: Settings },
      ],
    }),
  );
