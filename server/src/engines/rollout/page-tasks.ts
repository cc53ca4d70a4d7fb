import { type TaskClass, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { resultMachine, taskMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { Task, TaskCalls } from '@mooring/contract/engines/rollout/task-calls';
import { type TaskAct, taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import type { Call } from '@mooring/contract/kit/call';
import type { Exact, PageInput } from '@mooring/contract/kit/page';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { valuesOf } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import { t } from '../../platform/texts/translate.ts';
import { type Exporter, listExporter, momentCell } from '../../platform/work/exporter.ts';
import { talliesOf } from './tally.ts';
import type { RolloutKind } from './task.ts';
import { type TaskCriteria, taskConditions, taskSorts } from './task-queries.ts';
import { type ListedTask, taskRow, tasksWithPackage, withKind } from './task-row.ts';

interface Asked {
  readonly criteria: TaskCriteria;
  readonly page: PageInput;
}

/** Tasks of kinds and a class. */
const pageOfKinds = async (ctx: Ctx, kinds: readonly RolloutKind[], taskClass: TaskClass, input: Asked) => {
  const names = kinds.map(({ of }) => of.kind);
  const query = tasksWithPackage(ctx, names).where('t.task_class', '=', taskClass).where(taskConditions(input.criteria));
  const found = await page(ctx.db, query, { page: input.page, sorts: taskSorts, id: 't.id', map: (row: ListedTask) => row });
  const tallies = await talliesOf(
    ctx.db,
    found.content.map((row) => row.id),
  );
  const rows = await withKind(ctx, kinds, found.content);
  return { ...found, content: rows.map(({ row, kind, isGated }) => taskRow(ctx, kind, row, tallies.get(row.id) ?? {}, isGated)) };
};

/** Tasks of a kind and class. */
export const pageTasks = (kind: RolloutKind, taskClass: TaskClass) => (ctx: Ctx, input: Asked) =>
  pageOfKinds(ctx, [kind], taskClass, input);

/** General ones may be asked for by their kind too. */
export type GeneralCriteria = TaskCriteria & { kind?: Exact<string> | undefined };

/** Those kinds that are asked for and for which the person has these permissions. */
export function kindsFor(ctx: Pick<Ctx, 'actor'>, kinds: readonly RolloutKind[], asked: GeneralCriteria['kind'], acts: readonly TaskAct[]) {
  const among = valuesOf(asked);
  return kinds.filter(
    ({ of }) => (!among || among.includes(of.kind)) && acts.every((act) => ctx.actor.permissions.has(taskPermission(of, act))),
  );
}

/** Daily tasks of those kinds for which the person has a permission. */
export const pageGeneralTasks =
  (kinds: readonly RolloutKind[], ...acts: readonly TaskAct[]) =>
  (ctx: Ctx, { criteria: { kind: asked, ...criteria }, page: wanted }: { criteria: GeneralCriteria; page: PageInput }) =>
    pageOfKinds(ctx, kindsFor(ctx, kinds, asked, acts), taskClasses.daily, { criteria, page: wanted });

type Row = z.input<typeof Task>;
const nameOf = ({ package: of }: Row) => of && [of.productName, of.name, of.version].filter(Boolean).join(' ');
/** How many terminals stand where: "Successful 5; Failed 2". */
const standing = ({ tally }: Row, lang: string) =>
  Object.entries(tally)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${t(lang, `life.taskResult.${resultMachine.byCode[state]}`)} ${count}`)
    .join('; ');

const columns: Exporter<Row>['columns'] = {
  name: { title: 'firmware.task.name', cell: (row) => row.name },
  state: { title: 'firmware.task.state', cell: (row, lang) => t(lang, `life.task.${taskMachine.byCode[row.state]}`) },
  package: { title: 'firmware.task.package', cell: nameOf },
  tally: { title: 'firmware.task.progress', cell: standing },
  total: { title: 'firmware.task.total', cell: (row) => row.total },
  releaseScope: { title: 'firmware.task.scope', cell: (row, lang) => t(lang, `firmware.task.scope.${row.releaseScope}`) },
  deptName: { title: 'firmware.task.dept', cell: (row) => row.deptName },
  createdBy: { title: 'firmware.task.createdBy', cell: (row) => row.createdBy },
  createdAt: { title: 'firmware.task.createdAt', cell: (row) => momentCell(row.createdAt) },
  startedAt: { title: 'firmware.task.startedAt', cell: (row) => momentCell(row.startedAt) },
  endedAt: { title: 'firmware.task.endedAt', cell: (row) => momentCell(row.endedAt) },
  expiresAt: { title: 'firmware.task.expiresAt', cell: (row) => momentCell(row.expiresAt) },
  remark: { title: 'firmware.task.remark', cell: (row) => row.remark },
};

/** The list of releases itself; what became of each terminal is `resultExporter`. */
export const taskExporter = (kind: RolloutKind, calls: Pick<TaskCalls, 'export'>, taskClass: TaskClass) =>
  listExporter<Row>(calls.export, { title: 'work.export.release', sort: 'createdAt', page: pageTasks(kind, taskClass), columns });

/** General releases of the kinds that the person may export. */
export const generalTaskExporter = (kinds: readonly RolloutKind[], call: Call) =>
  listExporter<Row>(call, {
    title: 'work.export.release',
    sort: 'createdAt',
    page: pageGeneralTasks(kinds, 'page', 'export'),
    columns: { ...columns, kind: { title: 'task.kind', cell: (row, lang) => t(lang, `task.kind.${row.kind}`) } },
  });
