import { resultMachine, succeededStates } from '@mooring/contract/engines/rollout/state-machines';
import { type TaskKind, taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { codesOf } from '@mooring/contract/kit/state-machine';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import type { RolloutKind, SubjectOf, Task, TaskRow } from './task.ts';

/** Had something, or nothing: nobody knows. */
export const UNKNOWN = '?';
const bringing = codesOf(resultMachine, succeededStates);
/** Of results `r` that brought what they were to bring. */
export const broughtIt = sql<boolean>`r.state = any(${bringing}::text[])`;

/** Whether the person may roll back what a task brought, of results in these states: its owner, by a release of their own. */
export const mayRevert = ({ actor, scope }: Pick<Ctx, 'actor' | 'scope'>, kind: TaskKind, path: string, states: readonly string[]) =>
  path.startsWith(scope.path) && states.some((state) => bringing.includes(state)) && actor.permissions.has(taskPermission(kind, 'add'));

/** What a terminal had before its result `r`; nothing (null) only where that was seen: who was never in contact may have had anything. */
export const hadBefore = sql<
  string | null
>`case when r.from_version is null and r.from_known is not true then ${sql.lit(UNKNOWN)} else r.from_version end`;

/** What some terminals had before, with a few of them. */
export interface Had {
  readonly version: string | null;
  readonly deviceIds: readonly number[];
}
/** Where terminals go back to: a package, or content as a release takes it; or why there is no way. */
export type WayBack =
  | { readonly packageId: number }
  | { readonly content: object }
  | { readonly cant: 'noPackage' | 'notPublished' | 'noRecord' | 'noRemoval' | 'otherCertificate' };

/** What a kind knows of what its terminals had before. */
export interface BackOf {
  /** What a terminal had before its result `r` of a task with this subject, where a release brings back something else than that version. */
  was?(db: Db, subject: string): Promise<RawBuilder<string | null>>;
  /** Whether a result `r` is of those that go back to this, where that may change while a release waits; by what they had where it is left out. */
  isOf?(had: string): RawBuilder<boolean>;
  /** Of whom nobody knows what they had goes where most go: something is there in any case. */
  readonly restGoesAlong?: true;
  /** By what they had; nothing (null) too. What isn't answered nobody knows. */
  to(ctx: Ctx, task: Task, had: readonly Had[]): Promise<ReadonlyMap<string | null, WayBack>>;
}

export const wasOf = async (db: Db, { back }: RolloutKind, subject: string): Promise<RawBuilder<string | null>> =>
  (await back.was?.(db, subject)) ?? hadBefore;

/** As no terminal has it. */
const NEVER = '';
/** What a task brings to its terminals, for those that didn't say it; nothing (null) where it takes something away. */
export async function broughtBy(kind: RolloutKind, db: Db, task: SubjectOf | undefined): Promise<string | null> {
  if (!task) return NEVER;
  return kind.subjectOf(db, task).then(
    ({ version }) => version,
    () => NEVER,
  );
}

interface Going {
  readonly taskId: number;
  readonly had: readonly (string | null)[];
  readonly subject: string;
  /** What a device `d` has now. */
  readonly runs: RawBuilder<string | null>;
}
/** Whether a device `d` with a result `r` of a task is to go back: it had that before, and has still what the task brought. */
export async function goingBack(db: Db, kind: RolloutKind, { taskId, had, subject, runs }: Going): Promise<RawBuilder<boolean>> {
  const { isOf } = kind.back;
  const was = isOf ? hadBefore : await wasOf(db, kind, subject);
  const any = had.map((one) => (isOf && one !== null ? isOf(one) : sql<boolean>`${was} is not distinct from ${one}::text`));
  const task = await db
    .selectFrom('rollout_task')
    .select(['package_id', 'product_id', 'content'])
    .where('id', '=', taskId)
    .where('kind', '=', kind.of.kind)
    .executeTakeFirst();
  const brought = await broughtBy(kind, db, task);
  return sql<boolean>`(${sql.join(any, sql` or `)}) and coalesce(r.version, ${brought}::text) is not distinct from ${runs}`;
}

type Earlier = Pick<TaskRow, 'id' | 'package_id' | 'product_id' | 'content'>;

/** By what they had: the last release that brought exactly that to one of these terminals, as far as the person may see it. */
export async function broughtBefore(
  { db }: Pick<Ctx, 'db'>,
  { id, kind, subject }: Pick<Task, 'id' | 'kind' | 'subject'>,
  had: readonly Had[],
): Promise<ReadonlyMap<string, Earlier>> {
  const sought = had.flatMap(({ version, deviceIds }) => (version === null ? [] : deviceIds.map((deviceId) => ({ version, deviceId }))));
  if (sought.length === 0) return new Map();
  const { rows } = await sql<Earlier & { version: string }>`
    select distinct on (h.version) h.version, t.id, t.package_id, t.product_id, t.content
    from jsonb_to_recordset(${JSON.stringify(sought)}::jsonb) as h(version text, "deviceId" bigint)
    join rollout_result r on r.task_id = ${id} and r.device_id = h."deviceId"
    join rollout_result p on p.device_id = r.device_id and p.id <> r.id and p.kind = ${kind} and p.state = any(${bringing}::text[])
      and p.version = r.from_version and p.ended_at <= coalesce(r.ended_at, 'infinity')
    join rollout_task t on t.id = p.task_id and t.subject = ${subject}
    order by h.version, p.ended_at desc, p.id desc`.execute(db);
  return new Map(rows.map(({ version, ...row }) => [version, row]));
}
