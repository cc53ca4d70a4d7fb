import type { memberCalls } from '@mooring/contract/account/member-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { covers, heldBy, heldNow, noteGiven } from '../access/api.ts';
import { endSessionsOf, forgetAllFailures, keepAdministrator, lockAdministrators, unlockNow } from '../auth/api.ts';
import { endTokensOf, tokensOf } from './api-tokens.ts';
import { type Criteria, memberConditions, reachMember, selectMembers, showMember, userRows } from './member.queries.ts';
import { unbindFactors } from './second-factor.ts';

type Event = 'enable' | 'disable';

/** Past the policy, since sessions are closed to the bound role; whom it may concern was asked under it before. */
async function carryOut(ctx: Ctx, db: Db, event: Event, id: number, tokens: 'keep' | 'revoke' = 'keep'): Promise<boolean> {
  const actorId = ctx.actor.userId;
  if (event === 'enable') {
    const which = sql`id = ${id} and locked_until is null`;
    return (await move(db, userRows, 'enable', which, { actorId })).length > 0;
  }
  const was = await lockAdministrators(db, id);
  // A lock ends by itself; who is disabled stays so.
  await unlockNow(db, id, actorId, 'disabled');
  const done = await move(db, userRows, 'disable', [id], { actorId });
  await keepAdministrator(db, was);
  await endSessionsOf(db, id);
  await endTokensOf(db, id, tokens, ctx.now());
  return done.length > 0;
}

export const moveMember =
  (event: Event) =>
  async (ctx: Ctx, { id, tokens }: { id: number; tokens?: 'keep' | 'revoke' }) => {
    const { row } = await reachMember(ctx, ctx.db, id, event === 'disable' ? 'shutOut' : undefined);
    if (!(await ctx.unscoped((db) => carryOut(ctx, db, event, id, tokens)))) throw fault('OVERTAKEN');
    ctx.audit({ target: row.account, before: { state: row.state }, ...(tokens === 'revoke' ? { after: { tokens } } : {}) });
    return showMember(ctx, ctx.db, id);
  };

export const unlockMember = async (ctx: Ctx, { id }: { id: number }) => {
  const { row } = await reachMember(ctx, ctx.db, id);
  const unlocked = await unlockNow(ctx.db, id, ctx.actor.userId, 'administrator');
  if (!(await ctx.unscoped((db) => forgetAllFailures(db, id))) && !unlocked) throw fault('OVERTAKEN');
  ctx.audit({ target: row.account, before: { lockedUntil: row.locked_until } });
  return showMember(ctx, ctx.db, id);
};

export const unbindMember: Handler<typeof memberCalls.unbindMfa> = async (ctx, { id }) => {
  const { row } = await reachMember(ctx, ctx.db, id);
  await ctx.unscoped(async (db) => {
    await unbindFactors(db, id);
    await noteGiven(db, [id], ctx.actor.userId, 'factor');
    await endSessionsOf(db, id);
  });
  ctx.audit({ target: row.account });
  return showMember(ctx, ctx.db, id);
};

type Selection = { ids: number[] } | { criteria: Criteria; except: number[] };
const MOST = 5000;
const FAILED_SHOWN = 100;

/** Those who are out of reach, oneself and the last administrator are named as refused; the others are done. */
export async function moveMembers(ctx: Ctx, event: Event, of: Selection, preview: boolean): Promise<BulkOutcome> {
  const found = await ctx.inTx(async (db) => {
    const held = await heldNow(ctx);
    const which =
      'ids' in of
        ? sql<boolean>`(${await memberConditions(db, held, {})} and u.id = any(${of.ids}::bigint[]))`
        : sql<boolean>`(${await memberConditions(db, held, of.criteria)} and u.id <> all(${of.except}::bigint[]))`;
    const rows = await selectMembers(db)
      .where(which)
      .orderBy('u.id')
      .limit(MOST + 1)
      .execute();
    if (rows.length > MOST) throw fault('TOO_LARGE');
    const theirs = await ctx.readOnly((all) =>
      heldBy(
        all,
        rows.map((row) => row.id),
      ),
    );
    return rows.map((row) => ({
      id: row.id,
      label: row.account,
      fault:
        row.id === ctx.actor.userId
          ? 'MEMBER_SELF'
          : !covers(held, theirs.get(row.id) ?? new Set())
            ? 'MEMBER_ABOVE'
            : (event === 'disable' ? row.state === '0' : row.state === '1' && row.locked_until === null)
              ? undefined
              : 'OVERTAKEN',
    }));
  });
  const failed = found.flatMap((one) => (one.fault ? [{ id: one.id, label: one.label, fault: one.fault }] : []));
  const outcome: BulkOutcome = { total: found.length, done: 0, refused: failed.length, failed: failed.slice(0, FAILED_SHOWN), work: null };
  if (preview) return outcome;
  for (const one of found) {
    if (one.fault) continue;
    const done = await ctx
      .unscoped((db) => carryOut(ctx, db, event, one.id))
      .catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error;
        return error.fault;
      });
    if (done === true) outcome.done += 1;
    else {
      outcome.refused += 1;
      if (outcome.failed.length < FAILED_SHOWN)
        outcome.failed.push({ id: one.id, label: one.label, fault: typeof done === 'string' ? done : 'OVERTAKEN' });
    }
  }
  ctx.audit({ target: `${event}: ${outcome.done} people`, after: { done: outcome.done, refused: outcome.refused } });
  return outcome;
}

/** Read under the policy: a token stands where its person does. */
export const tokensOfMember: Handler<typeof memberCalls.tokens> = async (ctx, { id }) => {
  await reachMember(ctx, ctx.db, id, 'shutOut');
  return tokensOf(ctx.db, id);
};
