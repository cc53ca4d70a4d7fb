import type { BulkOutcome } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { countCandidates } from '../../platform/db/candidates.ts';
import { job } from '../../platform/module.ts';
import { say } from '../../platform/texts/say.ts';
import { addWork, endWork, isWanted, startWork } from '../../platform/work/work.ts';
import { type BulkName, bulkActs, bulkFault, changeable } from './bulk-acts.ts';
import { type DeviceCriteria, deviceConditions } from './device.queries.ts';

export type Selection = { ids: number[] } | { criteria: DeviceCriteria; except: number[] };

/** More than one batch goes on in the background. */
const BATCH = 1000;
const FAILED_SHOWN = 100;
const MOST_COUNTED = 1_000_001;

const whichOf = async (ctx: Ctx, of: Selection) =>
  'ids' in of
    ? sql<boolean>`d.id = any(${of.ids}::bigint[])`
    : sql<boolean>`(${await deviceConditions(ctx, of.criteria)}) and d.id <> all(${of.except}::bigint[])`;

function nextIds(ctx: Ctx, which: RawBuilder<boolean>, after: number): Promise<{ id: number; sn: string }[]> {
  return ctx.inTx(async (db) =>
    db.selectFrom('device as d').select(['d.id', 'd.sn']).where(which).where('d.id', '>', after).orderBy('d.id').limit(BATCH).execute(),
  );
}

async function countOf(ctx: Ctx, of: Selection, also: RawBuilder<boolean> = sql<boolean>`true`): Promise<number> {
  return countCandidates(ctx, 'device', sql<boolean>`${await whichOf(ctx, of)} and ${also}`, MOST_COUNTED);
}

/** Batch by batch, by id, each in a transaction of its own: an end in the middle leaves whole batches done and can be told. */
async function runBatches(
  ctx: Ctx,
  name: BulkName,
  of: Selection,
  params: Record<string, unknown>,
  /** False stops. */
  onBatch: (done: number, refused: { id: number; sn: string }[]) => Promise<boolean>,
): Promise<void> {
  const which = await whichOf(ctx, of);
  let after = 0;
  for (;;) {
    const rows = await nextIds(ctx, which, after);
    const last = rows.at(-1);
    if (!last) return;
    const done = new Set(
      await ctx.inTx(async (db) => {
        const acted = await bulkActs[name](
          ctx,
          db,
          rows.map((row) => row.id),
          params,
        );
        if (acted.length > 0) await ctx.touch(db, '/device');
        return acted;
      }),
    );
    const more = await onBatch(
      done.size,
      rows.filter((row) => !done.has(row.id)),
    );
    if (!more || rows.length < BATCH) return;
    after = last.id;
  }
}

export async function runBulk(
  ctx: Ctx,
  name: BulkName,
  of: Selection,
  preview: boolean,
  params: Record<string, unknown> = {},
): Promise<BulkOutcome> {
  const total = await countOf(ctx, of);
  const outcome: BulkOutcome = { total, done: 0, refused: 0, failed: [], work: null };
  if (preview) return { ...outcome, refused: total - (await countOf(ctx, of, changeable(name, params))) };
  ctx.audit({ target: `${name}: ${total} devices` });
  if (total > BATCH) return { ...outcome, work: await later(ctx, name, of, params, total) };
  await runBatches(ctx, name, of, params, async (done, refused) => {
    outcome.done += done;
    outcome.refused += refused.length;
    outcome.failed.push(
      ...refused.slice(0, FAILED_SHOWN - outcome.failed.length).map((row) => ({ id: row.id, label: row.sn, fault: bulkFault })),
    );
    return true;
  });
  return outcome;
}

async function later(ctx: Ctx, name: BulkName, of: Selection, params: Record<string, unknown>, total: number): Promise<number> {
  const work = await addWork(ctx, { kind: 'bulk', name: say(ctx.lang, `work.device.${name}`), params: { name, of, params }, total });
  await ctx.enqueue(ctx.db, 'device.bulk', { work, name, of, params }, { key: `work:${work}` });
  return work;
}

/** Twice is harmless: each act leaves alone what it was done to already. */
export const bulkJob = job({
  name: 'device.bulk',
  payload: z.object({
    work: z.int(),
    name: z.enum(Object.keys(bulkActs) as [BulkName, ...BulkName[]]),
    of: z.unknown(),
    params: z.record(z.string(), z.unknown()),
  }),
  run: async (ctx, { work, name, of, params }) => {
    if (!(await startWork(ctx, work))) return;
    let done = 0;
    let refusals = 0;
    const failures: { id: number; label: string; fault: string }[] = [];
    let wanted = true;
    await runBatches(ctx, name, of as Selection, params, async (acted, refused) => {
      done += acted;
      refusals += refused.length;
      failures.push(...refused.slice(0, FAILED_SHOWN - failures.length).map((row) => ({ id: row.id, label: row.sn, fault: bulkFault })));
      wanted = await ctx.inTx((db) => isWanted(db, work, done, null));
      return wanted;
    });
    if (wanted) await ctx.inTx((db) => endWork(ctx, db, work, 'finish', { failed: refusals, failures: JSON.stringify(failures) }));
  },
});
