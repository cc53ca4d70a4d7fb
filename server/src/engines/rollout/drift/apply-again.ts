import { type DriftCalls, MOST_AGAIN } from '@mooring/contract/engines/rollout/drift-calls';
import { Delivery, MOST_SNS, taskClasses } from '@mooring/contract/engines/rollout/schemas';
import { taskGroups, taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import type { OutputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';
import { isOvertaken } from '../../../platform/db/away.ts';
import { checkAlong } from '../along.ts';
import type { GATED_RINGS } from '../gate.ts';
import type { Many } from '../many.ts';
import { askedFor, refusalOf, statesOf } from '../match.ts';
import { kindsFor } from '../page-tasks.ts';
import { aimOf } from '../select-targets.ts';
import type { RolloutKind, SubjectOf, TaskRow } from '../task.ts';
import { contentOf, type ListedTask, needsGate, taskById } from '../task-row.ts';
import { addTask } from '../write-task.ts';
import { nameAgain } from './name-again.ts';
import { type DriftCriteria, driftConditions, driftsOf } from './page-drift.ts';
import { holdWanted, isShown, touchDrift } from './wanted-rows.ts';

type Answer = OutputOf<DriftCalls['applyAgain']>;
const FAILED_SHOWN = 100;
/** Where somebody must agree: a sample, a trial, and the rest. */
const gatedShares = [10, 50, 100] as const satisfies { readonly length: typeof GATED_RINGS };

interface Chosen {
  readonly id: number;
  readonly sn: string;
  readonly kind: string;
  readonly task_id: number;
}
/** Why these of the chosen ones are left out. */
type Refuse = (some: readonly Chosen[], why: Fault) => void;

/** When and how the former one went out; its days and its rings were of its own terminals. It goes back from what is newer. */
function deliveryOf(kind: RolloutKind, before: ListedTask, isGated: boolean): Delivery {
  const {
    startAt: _began,
    expiresAt: _ended,
    rings: _rings,
    laterMembers: _later,
    onBusy: _busy,
    ...how
  } = Delivery.parse(before.delivery);
  return Delivery.parse({
    ...how,
    allowDowngrade: kind.ordered === true,
    ...(isGated ? { rings: gatedShares.map((share) => ({ share })) } : {}),
  });
}

const sentAgain = (kind: RolloutKind, { package_id, product_id, content }: ListedTask): SubjectOf => ({
  package_id,
  product_id,
  content: kind.again ? kind.again(content as TaskRow['content']) : (content as TaskRow['content']),
});

/** Why a terminal isn't taken in that is asked for; a reason that isn't named here is one of the moment. */
const whys: Readonly<Record<string, Fault>> = {
  noPart: new Fault('DRIFT_NO_PART'),
  appBlocked: new Fault('DRIFT_NO_PART'),
  appOver: new Fault('DRIFT_NO_PART'),
  appPinned: new Fault('DRIFT_NO_PART'),
  notSupported: new Fault('DRIFT_NOT_SUPPORTED'),
  active: new Fault('DEVICE_STATE'),
  disabled: new Fault('DEVICE_STATE'),
};

/** Those of the chosen ones that the release reaches once more. */
async function reached(ctx: Ctx, kind: RolloutKind, sent: SubjectOf, delivery: Delivery, rows: readonly Chosen[], refuse: Refuse) {
  const scope = { releaseScope: '2' as const, sns: rows.map(({ sn }) => sn) };
  const aim = await aimOf(ctx.db, kind, { ...sent, dept_path: ctx.scope.path, scope, delivery }, statesOf(taskClasses.daily));
  const { rows: asked } = await sql<{ sn: string; why: string | null }>`
    select d.sn, ${await refusalOf(ctx.db, aim)} as why from device d where ${await askedFor(ctx.db, aim)}`.execute(ctx.db);
  // Of another product by now: it isn't even asked.
  const bySn = new Map(asked.map(({ sn, why }) => [sn, why]));
  const whyOf = ({ sn }: Chosen) => (bySn.has(sn) ? (bySn.get(sn) ?? null) : 'noPart');
  for (const [why, some] of Map.groupBy(rows, whyOf)) if (why !== null) refuse(some, whys[why] ?? fault('OVERTAKEN'));
  return rows.filter((row) => whyOf(row) === null);
}

/** Those that are still to be put right, held: whoever asks for the same at once finds none of them. */
async function claim(db: Db, rows: readonly Chosen[], refuse: Refuse): Promise<readonly Chosen[]> {
  const held = await holdWanted(db, sql<boolean>`w.id = any(${rows.map((row) => row.id)}::bigint[]) and ${isShown}`);
  const still = new Set(held.map(({ id }) => id));
  const [mine, others] = [rows.filter(({ id }) => still.has(id)), rows.filter(({ id }) => !still.has(id))];
  if (others.length > 0) refuse(others, fault('OVERTAKEN'));
  return mine;
}

interface Again {
  readonly kind: RolloutKind;
  readonly taskId: number;
  readonly rows: readonly Chosen[];
  readonly preview: boolean;
}
/** The same content once more, in the same way, to those alone that it reaches. What went on meanwhile is gone back from. */
async function releaseAgain(
  ctx: Ctx,
  { kind, taskId, rows, preview }: Again,
  refuse: Refuse,
): Promise<Answer['releases'][number] | undefined> {
  const before = await taskById(ctx, kind.of, taskId);
  const sent = sentAgain(kind, before);
  const delivery = deliveryOf(kind, before, await needsGate(ctx, kind, { dept_path: ctx.scope.path, ring_gate: null }));
  checkAlong(ctx, kind, sent, 'add');
  await kind.check(ctx, sent);
  const reaching = await reached(ctx, kind, sent, delivery, rows, refuse);
  if (preview || reaching.length === 0) return undefined;
  const mine = await claim(ctx.db, reaching, refuse);
  if (mine.length === 0) return undefined;
  const made = await addTask(kind, taskClasses.daily)(ctx, {
    name: nameAgain(ctx.lang, before.name),
    ...(sent.package_id === null ? { content: contentOf(sent.content), productId: sent.product_id } : { packageId: sent.package_id }),
    scope: { releaseScope: '2', sns: mine.map(({ sn }) => sn) },
    delivery,
    remark: '',
    release: true,
  });
  const { rows: claimed } = await sql<{ kind: string; dept_path: string }>`
    update rollout_wanted set busy = true, again_task_id = ${made.id} where id = any(${mine.map((row) => row.id)}::bigint[]) returning kind, dept_path`.execute(
    ctx.db,
  );
  for (const group of taskGroups(kind.of)) await ctx.invalidate(ctx.db, group);
  await touchDrift(ctx.db, ctx, claimed);
  return { id: made.id, kind: kind.of.kind, name: made.name, terminals: mine.length, approval: made.state === 'auditing' };
}

/** What has drifted of what was chosen. Faults: CHOSEN_MANY, DRIFT_MANY_RELEASES. */
async function chosen(ctx: Ctx, kinds: readonly RolloutKind[], of: Many<DriftCriteria>['of']) {
  const which =
    'ids' in of
      ? sql<boolean>`w.id = any(${of.ids}::bigint[])`
      : sql<boolean>`${driftConditions(of.criteria)} and w.id <> all(${of.except}::bigint[])`;
  const rows = await ctx.inTx((db) =>
    driftsOf(db, kinds)
      .select(['w.id', 'd.sn', 'w.kind', 'w.task_id', 't.id as there'])
      .where(which)
      .orderBy('w.id')
      .limit(MOST_SNS + 1)
      .execute(),
  );
  if (rows.length > MOST_SNS) throw new Fault('CHOSEN_MANY', { params: { most: MOST_SNS } });
  const groups = Map.groupBy(rows, (row) => row.task_id);
  if (groups.size > MOST_AGAIN) throw new Fault('DRIFT_MANY_RELEASES', { params: { most: MOST_AGAIN } });
  return { rows, groups };
}

/** One release for each that left something else on the chosen terminals; what one of them is refused for holds no other up. */
export const applyAgain =
  (kinds: readonly RolloutKind[]) =>
  async (ctx: Ctx, { of, preview }: Many<DriftCriteria>): Promise<Answer> => {
    const seen = kindsFor(ctx, kinds, 'ids' in of ? undefined : of.criteria.kind, ['page']);
    const { rows, groups } = await chosen(ctx, seen, of);
    const refused: { readonly row: Chosen; readonly why: Fault }[] = [];
    const releases: Answer['releases'] = [];
    const carryOut = async (some: (typeof rows)[number][], taskId: number): Promise<void> => {
      const kind = seen.find((one) => one.of.kind === some[0]?.kind);
      const may = kind && (['add', 'enable'] as const).every((act) => ctx.actor.permissions.has(taskPermission(kind.of, act)));
      if (some[0]?.there === null) throw new Fault('DRIFT_RELEASE_GONE');
      if (!kind || !may) throw fault('FORBIDDEN');
      // What is refused one by one counts only where the rest of it came about.
      const out: { readonly row: Chosen; readonly why: Fault }[] = [];
      const made = await ctx.withScope((inner) =>
        releaseAgain(inner, { kind, taskId, rows: some, preview }, (those, why) => out.push(...those.map((row) => ({ row, why })))),
      );
      refused.push(...out);
      if (made) releases.push(made);
    };
    for (const [taskId, some] of groups) {
      try {
        await carryOut(some, taskId);
      } catch (error) {
        if (!(error instanceof Fault || isOvertaken(error))) throw error;
        const why = error instanceof Fault ? error : fault('OVERTAKEN');
        refused.push(...some.map((row) => ({ row, why })));
      }
    }
    // Of one alone there is nothing else to tell than why.
    const [only] = refused;
    if (only && rows.length === 1 && !preview) throw only.why;
    const done = releases.reduce((sum, one) => sum + one.terminals, 0);
    if (!preview)
      ctx.audit({ target: releases.map(({ name }) => name).join(', '), after: { done, releases: releases.map(({ id }) => id) } });
    const failed = refused.slice(0, FAILED_SHOWN).map(({ row, why }) => ({ id: row.id, label: row.sn, fault: why.fault }));
    return { total: rows.length, done, refused: refused.length, failed, work: null, releases };
  };
