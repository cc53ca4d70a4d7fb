import type { BulkOutcome } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { asItStands, countCandidates, nextCandidates } from '../../platform/db/candidates.ts';
import { job } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { addBackgroundJob, endBackgroundJob, isWanted, noteCancelled, startBackgroundJob } from '../../platform/work/work.ts';
import { type BulkName, bulkActs, bulkFailures, changeable } from './bulk-acts.ts';
import { type DeviceCriteria, deviceConditions } from './device.queries.ts';

export type Selection = { ids: number[] } | { criteria: DeviceCriteria; except: number[] };

/** More than one batch goes on in the background. */
const BATCH = 1000;
/** Asked for at once: where a filter names few of many devices, the database looks through all that match for each answer. */
const AHEAD = 50 * BATCH;
const FAILED_SHOWN = 100;
const MOST_COUNTED = 1_000_001;

const whichOf = async (ctx: Ctx, of: Selection) =>
  'ids' in of
    ? sql<boolean>`d.id = any(${of.ids}::bigint[])`
    : sql<boolean>`(${await deviceConditions(ctx, of.criteria, asItStands)}) and d.id <> all(${of.except}::bigint[])`;

/** The chosen devices, a batch at a time. */
async function* batchesOf(ctx: Ctx, which: RawBuilder<boolean>): AsyncGenerator<readonly number[]> {
  let after = 0;
  for (;;) {
    const ahead = await nextCandidates(ctx, 'device', which, after, AHEAD);
    for (let at = 0; at < ahead.length; at += BATCH) yield ahead.slice(at, at + BATCH);
    const last = ahead.at(-1);
    if (last === undefined || ahead.length < AHEAD) return;
    after = last;
  }
}

async function countOf(ctx: Ctx, of: Selection, also: RawBuilder<boolean> = sql<boolean>`true`): Promise<number> {
  return countCandidates(ctx, 'device', sql<boolean>`${await whichOf(ctx, of)} and ${also}`, MOST_COUNTED);
}

interface Tally {
  done: number;
  refused: number;
  readonly failed: { id: number; label: string; fault: string }[];
}

/** The first of those that were refused, by their names. */
async function noteRefused(ctx: Ctx, name: BulkName, tally: Tally, refused: readonly number[]): Promise<void> {
  tally.refused += refused.length;
  const shown = refused.slice(0, FAILED_SHOWN - tally.failed.length);
  if (shown.length === 0) return;
  tally.failed.push(...(await ctx.inTx((db) => bulkFailures(db, name, shown))));
}

/** Batch by batch, by id, each in a transaction of its own: an end in the middle leaves whole batches done and can be told. */
async function runBatches(
  ctx: Ctx,
  name: BulkName,
  of: Selection,
  params: Record<string, unknown>,
  /** False stops. */
  goesOn: (tally: Tally) => Promise<boolean> = async () => true,
): Promise<Tally> {
  const tally: Tally = { done: 0, refused: 0, failed: [] };
  for await (const ids of batchesOf(ctx, await whichOf(ctx, of))) {
    const done = new Set(
      await ctx.inTx(async (db) => {
        const acted = await bulkActs[name](ctx, db, ids, params);
        if (acted.length > 0) await ctx.invalidate(db, '/device');
        return acted;
      }),
    );
    tally.done += done.size;
    await noteRefused(
      ctx,
      name,
      tally,
      ids.filter((id) => !done.has(id)),
    );
    if (!(await goesOn(tally))) break;
  }
  return tally;
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
  return { ...outcome, ...(await runBatches(ctx, name, of, params)) };
}

async function later(ctx: Ctx, name: BulkName, of: Selection, params: Record<string, unknown>, total: number): Promise<number> {
  const work = await addBackgroundJob(ctx, { kind: 'bulk', name: t(ctx.lang, `work.device.${name}`), params: { name, of, params }, total });
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
    if (!(await startBackgroundJob(ctx, work))) return;
    let wanted = true;
    const { done, refused, failed } = await runBatches(ctx, name, of as Selection, { ...params, work }, async (tally) => {
      wanted = await ctx.inTx((db) => isWanted(db, work, tally.done, null));
      return wanted;
    });
    const failures = { failed: refused, failures: JSON.stringify(failed) };
    await ctx.inTx((db) =>
      wanted ? endBackgroundJob(ctx, db, work, 'finish', failures) : noteCancelled(ctx, db, work, { done, ...failures }),
    );
  },
});
