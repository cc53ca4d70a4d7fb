import type { SyncConflict, syncConflictCalls } from '@mooring/contract/inventory/sync';
import { Fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { whyHeld } from '../../../engines/custody/held.ts';
import { noteCustody } from '../../../engines/custody/note-custody.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { countCandidates, nextCandidates } from '../../../platform/db/candidates.ts';
import { all, containsWords, exact, range } from '../../../platform/db/criteria.ts';
import { move } from '../../../platform/db/move.ts';
import type { Handler } from '../../../platform/module.ts';
import { addStocked, bulkActs, bulkFailures, giveProduct, unusedStates, usableProduct } from '../../device/api.ts';
import { type Act, afterBatch, BATCH, type Failed } from '../many.ts';
import { conflictRows, holdSources, invalidateSync } from './sync-rows.ts';

const MOST = 100_001;
const NAMED = 20;
type Selection = { ids: number[] } | { criteria: z.output<typeof SyncConflict.criteria>; except: number[] };
type Run = (
  ctx: Ctx,
  name: 'syncKeep' | 'syncTake',
  params: Record<string, unknown>,
  total: number,
) => ReturnType<Handler<typeof syncConflictCalls.keep>>;

/** Open ones `d` that are chosen. */
function which(of: Selection): RawBuilder<boolean> {
  if ('ids' in of) return sql<boolean>`d.id = any(${of.ids}::bigint[]) and d.state = 'open'`;
  const { text, sourceId, state, foundAt } = of.criteria;
  return sql<boolean>`${all(
    containsWords(['d.sn', 'd.their_owner', 'd.their_product'], text),
    exact('d.source_id', sourceId),
    exact('d.state', state),
    range('d.found_at', foundAt),
  )} and d.state = 'open' and d.id <> all(${of.except}::bigint[])`;
}

/** What refuses to be taken, as `refusal` says it row by row. */
const untakable = sql<boolean>`(d.why && array['taken', 'ownerUnknown', 'productUnknown'] or d.their_product_id is null
  or 'product' = any(d.why) and exists (select from device v where v.id = d.device_id and not v.status = any(${unusedStates}::text[])))`;

interface Open {
  readonly id: number;
  readonly sn: string;
  readonly why: readonly string[];
  readonly device_id: number | null;
  readonly their_dept_id: number | null;
  readonly their_product_id: number | null;
  readonly status: string | null;
  readonly path: string | null;
  /** Where the terminal stands that is known. */
  readonly here: string | null;
  readonly source: string;
  readonly source_id: number;
  /** Of the register: it speaks of that organisation and those below. */
  readonly range: string;
}
const openOf = async (db: Db, ids: readonly number[]): Promise<Open[]> =>
  (
    await sql<Open>`
      select c.id, c.sn, c.why, c.device_id, c.their_dept_id, c.their_product_id, d.status, d.dept_path as here, o.dept_path as path, s.name as source, s.id as source_id, s.dept_path as range
      from inventory_sync_conflict c join inventory_sync_source s on s.id = c.source_id left join device d on d.id = c.device_id and d.deleted_at is null
      left join org_dept o on o.id = c.their_dept_id and o.state = 'enabled'
      where c.id = any(${ids}::bigint[]) and c.state = 'open' order by c.id`.execute(db)
  ).rows;

const sourcesOf = async (db: Db, ids: readonly number[]): Promise<number[]> =>
  (
    await sql<{ id: number }>`select distinct source_id as id from inventory_sync_conflict where id = any(${ids}::bigint[])`.execute(db)
  ).rows.map(({ id }) => Number(id));
const decided = (ctx: Ctx) => ({ decided_by: ctx.actor.userName, decided_at: ctx.now() });

/** What stands here stays. Twice is harmless: what is decided isn't open. */
export const keepAct: Act = {
  title: 'syncConflict.keep',
  can: 'inventory:sync:decide',
  step: async (ctx, params, { after }) => {
    const ids = await nextCandidates(ctx, 'inventory_sync_conflict', which((params as { of: Selection }).of), after, BATCH);
    const done = await ctx.inTx(async (db) => {
      await holdSources(db, await sourcesOf(db, ids), 'read');
      const moved = await move(db, conflictRows, 'keep', ids, { actorId: ctx.actor.userId, set: decided(ctx) });
      await invalidateSync(ctx, db);
      return moved.length;
    });
    return { next: afterBatch(ids), done, failed: [] };
  },
};

function refusal({ why, path, range, their_product_id, device_id, status }: Open): string | undefined {
  if (why.includes('taken')) return 'SN_TAKEN';
  if (path === null || !path.startsWith(range)) return 'SYNC_OWNER_UNKNOWN';
  if (their_product_id === null) return 'SYNC_PRODUCT_UNKNOWN';
  // It was deleted since: only what was new to begin with is added.
  if (device_id === null ? !why.includes('unlisted') && !why.includes('productElsewhere') : status === null) return 'NOT_FOUND';
  return why.includes('product') && !unusedStates.some((one) => one === status) ? 'SYNC_PRODUCT' : undefined;
}

/** One terminal as the register has it. Faults: why it can't be. */
async function takeOne(ctx: Ctx, db: Db, row: Open): Promise<void> {
  const no = refusal(row);
  if (no) throw new Fault(no);
  const { device_id: known, their_dept_id: deptId, their_product_id: product, source, status } = row;
  const productId = Number(product);
  const by = { by: ctx.actor.userName, now: ctx.now(), document: source };
  const stays = known !== null && !row.why.includes('owner');
  await usableProduct(db, productId, (stays ? row.here : row.path) ?? '');
  if (known === null) {
    const dept = { id: Number(deptId), path: row.path ?? '' };
    const added = await addStocked(db, { sns: [row.sn], productId, dept, actorId: ctx.actor.userId });
    if (added.length === 0) throw new Fault('SN_TAKEN');
    return noteCustody(db, added, { event: 'entered', entryType: '5', ...by });
  }
  const id = Number(known);
  // Its product first: that one has to be usable where it goes.
  if (row.why.includes('product') && (await giveProduct(ctx, db, [id], productId)).length === 0)
    throw new Fault((await whyHeld(db, 'move', [id])).get(id) ?? 'SYNC_PRODUCT');
  if (row.why.includes('owner')) {
    const moved = await bulkActs.move(ctx, db, [id], { deptId });
    const [no] = moved.length > 0 ? [] : await bulkFailures(db, 'move', [id], { deptId });
    if (no) throw new Fault(no.fault === 'DEVICE_STATE' ? 'DEVICE_THERE' : no.fault);
    if (status === '5') await noteCustody(db, moved, { event: 'stocked', entryType: '8', ...by });
  }
}

/** Each in a transaction of its own: what one is refused for holds no other up. */
export const takeAct: Act = {
  title: 'syncConflict.take',
  can: 'inventory:sync:decide',
  step: async (ctx, params, { after }) => {
    const ids = await nextCandidates(ctx, 'inventory_sync_conflict', which((params as { of: Selection }).of), after, BATCH);
    const failed: Failed[] = [];
    const taken: string[] = [];
    for (const row of await ctx.inTx((db) => openOf(db, ids))) {
      try {
        await ctx.withScope(async (inner) => {
          await holdSources(inner.db, [row.source_id], 'read');
          const options = { actorId: ctx.actor.userId, set: decided(ctx) };
          if ((await move(inner.db, conflictRows, 'take', [row.id], options)).length === 0) throw new Fault('OVERTAKEN');
          await takeOne(inner, inner.db, row);
        });
        taken.push(row.sn);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        failed.push({ id: row.id, label: row.sn, fault: error.fault });
      }
    }
    await ctx.inTx((db) => invalidateSync(ctx, db));
    if (taken.length > 0) ctx.audit({ target: `asset sync ${taken[0]}`, after: { taken: taken.slice(0, NAMED), done: taken.length } });
    return { next: afterBatch(ids), done: taken.length, failed };
  },
};

export const decide =
  (run: Run, name: 'syncKeep' | 'syncTake'): Handler<typeof syncConflictCalls.keep> =>
  async (ctx, { of, preview }) => {
    const total = await countCandidates(ctx, 'inventory_sync_conflict', which(of), MOST);
    if (preview) {
      const refused =
        name === 'syncTake' ? await countCandidates(ctx, 'inventory_sync_conflict', sql<boolean>`${which(of)} and ${untakable}`, MOST) : 0;
      return { total, done: 0, refused, failed: [], work: null };
    }
    ctx.audit({ target: `asset sync: ${total} conflicts` });
    return run(ctx, name, { of }, total);
  };
