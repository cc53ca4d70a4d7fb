import { type DriftCalls, MOST_AGAIN } from '@mooring/contract/engines/rollout/drift-calls';
import { Delivery, MOST_SNS, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import type { OutputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';
import { t } from '../../../platform/texts/translate.ts';
import type { GATED_RINGS } from '../gate.ts';
import type { Many } from '../many.ts';
import { kindsFor } from '../page-tasks.ts';
import type { RolloutKind } from '../task.ts';
import { needsGate, taskById } from '../task-row.ts';
import { addTask } from '../write-task.ts';
import { type DriftCriteria, driftConditions, driftsOf } from './page-drift.ts';

type Answer = OutputOf<DriftCalls['applyAgain']>;
const NAME_MOST = 64;
const FAILED_SHOWN = 100;
/** Where somebody must agree: a sample, a trial, and the rest. */
const gatedShares = [10, 50, 100] as const satisfies { readonly length: typeof GATED_RINGS };

interface Chosen {
  readonly id: number;
  readonly sn: string;
  readonly kind: string;
  readonly task_id: number;
}

/** Those of the chosen ones that are still to be put right, held: whoever asks for the same at once finds none of them. */
async function claim(db: Db, rows: readonly Chosen[]): Promise<readonly string[]> {
  const ids = rows.map((row) => row.id);
  const { rows: taken } = await sql<{ id: number }>`
    update rollout_wanted set busy = true where id in (
      select id from rollout_wanted where id = any(${ids}::bigint[]) and since is not null and not busy order by id for update
    ) returning id`.execute(db);
  const still = new Set(taken.map(({ id }) => id));
  return rows.filter(({ id }) => still.has(id)).map(({ sn }) => sn);
}

/** The same content once more, to these alone. What went on meanwhile is gone back from. */
async function releaseAgain(ctx: Ctx, kind: RolloutKind, rows: readonly Chosen[], taskId: number) {
  const before = await taskById(ctx, kind.of, taskId);
  const sns = await claim(ctx.db, rows);
  if (sns.length === 0) throw fault('OVERTAKEN');
  const isGated = await needsGate(ctx, kind, { dept_path: ctx.scope.path, ring_gate: null });
  const made = await addTask(kind, taskClasses.daily)(ctx, {
    name: t(ctx.lang, 'drift.againName', { name: before.name }).slice(0, NAME_MOST).trim(),
    ...(before.package_id === null ? { content: before.content, productId: before.product_id } : { packageId: before.package_id }),
    scope: { releaseScope: '2', sns: [...new Set(sns)] },
    delivery: Delivery.parse({
      allowDowngrade: kind.ordered === true,
      ...(isGated ? { rings: gatedShares.map((share) => ({ share })) } : {}),
    }),
    remark: '',
    release: true,
  });
  await sql`update rollout_wanted set again_task_id = ${made.id} where id = any(${rows.map((row) => row.id)}::bigint[]) and busy and task_id = ${taskId}`.execute(
    ctx.db,
  );
  return { id: made.id, kind: kind.of.kind, name: made.name, terminals: sns.length };
}

/** One release for each that left something else on the chosen terminals; what one of them is refused for holds no other up. */
export const applyAgain =
  (kinds: readonly RolloutKind[]) =>
  async (ctx: Ctx, { of, preview }: Many<DriftCriteria>): Promise<Answer> => {
    const criteria: DriftCriteria = 'ids' in of ? {} : of.criteria;
    const seen = kindsFor(ctx, kinds, criteria.kind, ['page']);
    const which =
      'ids' in of
        ? sql<boolean>`w.id = any(${of.ids}::bigint[])`
        : sql<boolean>`${driftConditions(criteria)} and w.id <> all(${of.except}::bigint[])`;
    const rows = await ctx.inTx((db) =>
      driftsOf(db, seen)
        .select(['w.id', 'd.sn', 'w.kind', 'w.task_id'])
        .where(which)
        .orderBy('w.id')
        .limit(MOST_SNS + 1)
        .execute(),
    );
    if (rows.length > MOST_SNS) throw fault('TOO_LARGE');
    const groups = Map.groupBy(rows, (row) => row.task_id);
    if (groups.size > MOST_AGAIN) throw new Fault('DRIFT_MANY_RELEASES', { params: { most: MOST_AGAIN } });
    const failed: Answer['failed'] = [];
    const releases: Answer['releases'] = [];
    const refuse = (some: readonly Chosen[], why: string) => {
      for (const { id, sn } of some) failed.push({ id, label: sn, fault: why });
    };
    const sendable = await ctx.inTx((db) =>
      db
        .selectFrom('rollout_task')
        .select('id')
        .where('id', '=', sql<number>`any(${[...groups.keys()]}::bigint[])`)
        .execute(),
    );
    const there = new Set(sendable.map(({ id }) => id));
    for (const [taskId, some] of groups) {
      const kind = seen.find((one) => one.of.kind === some[0]?.kind);
      const may = kind && (['add', 'enable'] as const).every((act) => ctx.actor.permissions.has(taskPermission(kind.of, act)));
      if (!there.has(taskId)) refuse(some, 'DRIFT_RELEASE_GONE');
      else if (!kind || !may) refuse(some, 'FORBIDDEN');
      else if (!preview) {
        try {
          const made = await ctx.withScope((inner) => releaseAgain(inner, kind, some, taskId));
          releases.push(made);
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          refuse(some, error.fault);
        }
      }
    }
    // Of one alone there is nothing else to tell than why.
    const [only] = failed;
    if (only && rows.length === 1 && !preview) throw new Fault(only.fault);
    const done = releases.reduce((sum, one) => sum + one.terminals, 0);
    if (!preview)
      ctx.audit({ target: releases.map(({ name }) => name).join(', '), after: { done, releases: releases.map(({ id }) => id) } });
    const refused = preview ? failed.length : rows.length - done;
    return { total: rows.length, done, refused, failed: failed.slice(0, FAILED_SHOWN), work: null, releases };
  };
