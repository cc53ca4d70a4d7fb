import type { reviewCalls } from '@mooring/contract/access/review-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { covers, dropManaged, dropRoles, type Held, heldBy, heldNow, invalidateRights } from '../access/api.ts';
import { withdrawToken } from '../account/api.ts';
import { keepAdministrator, lockAdministrators } from '../auth/api.ts';
import { endTrustOf, mayEntrust } from '../org/api.ts';
import { type Criteria, mayConfirmOwn, type ReviewRow, reviewConditions, reviewRows, selectReviews, shownOf } from './review.queries.ts';

type Event = 'confirm' | 'withdraw';
type Selection = { ids: number[] } | { criteria: Criteria; except: number[] };
const MOST = 5000;
const FAILED_SHOWN = 100;

/** To confirm a right is to give it again: nobody confirms their own, nor what they couldn't give. */
async function refusals(ctx: Ctx, event: Event, held: Held, rows: readonly ReviewRow[]): Promise<ReadonlyMap<number, string>> {
  const refused = new Map<number, string>();
  const alone = event === 'confirm' && (await mayConfirmOwn(ctx, held));
  await ctx.readOnly(async (db) => {
    const theirs = await heldBy(
      db,
      rows.flatMap((row) => (row.user_id === null ? [] : [row.user_id])),
    );
    for (const row of rows) {
      if (row.user_id !== null && row.user_id === ctx.actor.userId) {
        if (!alone) refused.set(row.id, 'MEMBER_SELF');
      } else if (row.user_id !== null && !covers(held, theirs.get(row.user_id) ?? new Set())) refused.set(row.id, 'MEMBER_ABOVE');
      else if (row.trustee_id !== null && !(await mayEntrust(db, held, row.trustee_id))) refused.set(row.id, 'MEMBER_ABOVE');
    }
  });
  return refused;
}

/** Past the policy, since grants have none; which rows it may concern was asked under it before. Answers whether it was still open. */
async function carryOut(ctx: Ctx, db: Db, event: Event, row: ReviewRow): Promise<boolean> {
  const { userId } = ctx.actor;
  const now = ctx.now();
  const decided = { decided_at: now, decided_by: userId, ...(event === 'confirm' ? { counted_from: now, reminded_at: null } : {}) };
  const was = event === 'withdraw' && row.kind === 'role' && row.user_id !== null ? await lockAdministrators(db, row.user_id) : undefined;
  const moved = await move(db, reviewRows, event, [row.id], { actorId: userId, set: decided });
  if (moved.length === 0) return false;
  await ctx.invalidate(db, '/sys/user/member', row.dept_path);
  if (event === 'confirm') return true;
  if (row.kind === 'token') await withdrawToken(db, row.subject_id, now);
  else if (row.kind === 'trust') await endTrustOf(ctx, db, row.subject_id);
  else if (row.user_id !== null) {
    // Told before and after: consoles at what they managed until now have to hear of it too.
    await invalidateRights(db, [row.user_id]);
    await (row.kind === 'role' ? dropRoles : dropManaged)(db, row.user_id, [row.subject_id]);
    await keepAdministrator(db, was);
    await invalidateRights(db, [row.user_id]);
  }
  return true;
}

const labelOf = (row: ReviewRow) => `${row.account ?? row.dept_name}: ${row.role_name ?? row.managed_name ?? row.token_name ?? ''}`;

export const decide =
  (event: Event): Handler<typeof reviewCalls.confirm> =>
  async (ctx, { id }) => {
    const held = await ctx.inTx(() => heldNow(ctx));
    const find = (db: Db) => selectReviews(db).where('g.id', '=', id);
    const row = await ctx.inTx(async (db) =>
      find(db)
        .where(await reviewConditions(db, held, {}))
        .executeTakeFirst(),
    );
    if (!row) throw fault('NOT_FOUND');
    ctx.audit({ target: labelOf(row), before: { state: row.state, way: row.way, grantedAt: row.granted_at } });
    const refused = (await refusals(ctx, event, held, [row])).get(id);
    if (refused) throw new Fault(refused);
    if (!(await ctx.unscoped((db) => carryOut(ctx, db, event, row)))) throw fault('OVERTAKEN');
    return ctx.inTx(async (db) => {
      const [shown] = await shownOf(ctx, db, held, [await find(db).executeTakeFirstOrThrow()]);
      if (!shown) throw fault('NOT_FOUND');
      return shown;
    });
  };

/** One's own, what is out of reach and the last administrator's are named as refused; the others are done. */
export async function decideMany(ctx: Ctx, event: Event, of: Selection, preview: boolean): Promise<BulkOutcome> {
  const held = await ctx.inTx(() => heldNow(ctx));
  const rows = await ctx.inTx(async (db) => {
    const which =
      'ids' in of
        ? sql<boolean>`(${await reviewConditions(db, held, {})} and g.id = any(${of.ids}::bigint[]))`
        : sql<boolean>`(${await reviewConditions(db, held, of.criteria)} and g.id <> all(${of.except}::bigint[]))`;
    return selectReviews(db)
      .where(which)
      .where('g.state', '<>', 'withdrawn')
      .orderBy('g.id')
      .limit(MOST + 1)
      .execute();
  });
  if (rows.length > MOST) throw fault('TOO_LARGE');
  const refused = await refusals(ctx, event, held, rows);
  const outcome: BulkOutcome = { total: rows.length, done: 0, refused: 0, failed: [], work: null };
  const refuse = (row: ReviewRow, why: string) => {
    outcome.refused += 1;
    if (outcome.failed.length < FAILED_SHOWN) outcome.failed.push({ id: row.id, label: labelOf(row), fault: why });
  };
  for (const row of rows) {
    const why = refused.get(row.id);
    if (why !== undefined) refuse(row, why);
    else if (!preview) {
      const done = await ctx
        .unscoped((db) => carryOut(ctx, db, event, row))
        .catch((error: unknown) => {
          if (!(error instanceof Fault)) throw error;
          return error.fault;
        });
      if (done === true) outcome.done += 1;
      else refuse(row, done === false ? 'OVERTAKEN' : done);
    }
  }
  if (!preview) ctx.audit({ target: `${event}: ${outcome.done} grants`, after: { done: outcome.done, refused: outcome.refused } });
  return outcome;
}
