import { THINGS } from '@mooring/contract/device/thing/thing-calls';
import type { Call } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { isAllowed } from '@mooring/contract/kit/permission';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { asItStands, countCandidates, nextCandidates } from '../../platform/db/candidates.ts';
import { job } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { brokenBy, overtaking } from '../../platform/work/overtaking.ts';
import {
  addBackgroundJob,
  type BackgroundJobRow,
  endBackgroundJob,
  isWanted,
  noteCancelled,
  startBackgroundJob,
} from '../../platform/work/work.ts';
import { type BulkAct, bulkActs, bulkCans, bulkFailures, changeable } from './bulk-acts.ts';
import { type DeviceCriteria, deviceConditions } from './device.queries.ts';

export type Selection = { ids: number[] } | { criteria: DeviceCriteria; except: number[] };

/** More than one batch goes on in the background. */
const BATCH = 1000;
/** Asked for at once: where a filter names few of many devices, the database looks through all that match for each answer. */
const AHEAD = 50 * BATCH;
const FAILED_SHOWN = 100;
/** Of a preview. */
const REFUSED_AHEAD = 20;
const MOST_COUNTED = 1_000_001;

type Params = Record<string, unknown>;
type Failure = BulkOutcome['failed'][number];
/** Acts on terminals, with the job that goes on with them where they are many. */
interface BulkActs<N extends string> {
  readonly job: string;
  readonly acts: Readonly<Record<N, BulkAct>>;
  /** What each asks for: asked again where it goes on in the background. */
  readonly cans: Readonly<Record<N, Call['can']>>;
  /** Which devices `d` the act changes. */
  readonly changeable: (name: N, params: Params) => RawBuilder<boolean>;
  /** Of those that it doesn’t: who they are, and why. */
  readonly failures: (db: Db, name: N, ids: readonly number[], params: Params) => Promise<Failure[]>;
}

export const whichOf = async (ctx: Ctx, of: Selection) =>
  'ids' in of
    ? sql<boolean>`d.id = any(${of.ids}::bigint[])`
    : sql<boolean>`(${await deviceConditions(ctx, of.criteria, asItStands)}) and d.id <> all(${of.except}::bigint[])`;

/** The chosen devices, a batch at a time. */
async function* batchesOf(ctx: Ctx, which: RawBuilder<boolean>, begin: number): AsyncGenerator<readonly number[]> {
  let after = begin;
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
  readonly done: number;
  readonly refused: number;
  readonly failed: readonly Failure[];
}
const noTally: Tally = { done: 0, refused: 0, failed: [] };

/** The first of those that were refused, by their names. */
async function withRefused<N extends string>(
  db: Db,
  { failures }: BulkActs<N>,
  name: N,
  tally: Tally,
  refused: readonly number[],
  params: Params,
): Promise<Tally> {
  const shown = refused.slice(0, FAILED_SHOWN - tally.failed.length);
  const failed = shown.length === 0 ? [] : await failures(db, name, shown, params);
  return { ...tally, refused: tally.refused + refused.length, failed: [...tally.failed, ...failed] };
}

/** What goes on around the batches. */
interface Course {
  /** Before each of them, with what has become of all of them by then. */
  readonly ahead?: (tally: Tally) => Promise<void>;
  /** In the transaction of each, with what becomes of all of them by its end; false stops. */
  readonly note?: (db: Db, tally: Tally, last: number) => Promise<boolean>;
  /** The last id that an earlier run came to. */
  readonly after?: number;
}

/** Batch by batch, by id, each in a transaction of its own: an end in the middle leaves whole batches done and can be told. */
async function runBatches<N extends string>(
  ctx: Ctx,
  of: Selection,
  many: BulkActs<N>,
  name: N,
  params: Params,
  { ahead, note, after = 0 }: Course = {},
  begin: Tally = noTally,
): Promise<Tally> {
  let tally = begin;
  for await (const ids of batchesOf(ctx, await whichOf(ctx, of), after)) {
    await ahead?.(tally);
    const [now, goesOn] = await overtaking(() =>
      ctx.inTx(async (db) => {
        const acted = new Set(await many.acts[name](ctx, db, ids, params));
        if (acted.size > 0) for (const group of ['/device', THINGS]) await ctx.invalidate(db, group);
        const refused = ids.filter((id) => !acted.has(id));
        const next = await withRefused(db, many, name, { ...tally, done: tally.done + acted.size }, refused, params);
        return [next, note === undefined || (await note(db, next, ids.at(-1) ?? 0))] as const;
      }),
    );
    tally = now;
    if (!goesOn) break;
  }
  return tally;
}

/** What would happen; of those that it wouldn’t happen to the first by their names, where they are soon found. */
async function lookAhead<N extends string>(ctx: Ctx, of: Selection, many: BulkActs<N>, name: N, params: Params): Promise<BulkOutcome> {
  const total = await countOf(ctx, of);
  const fits = many.changeable(name, params);
  let tally = noTally;
  const refused = total - (await countOf(ctx, of, fits));
  if (refused > 0 && total <= AHEAD) {
    const misfits = sql<boolean>`${await whichOf(ctx, of)} and (${fits}) is not true`;
    const first = await nextCandidates(ctx, 'device', misfits, 0, REFUSED_AHEAD);
    tally = await ctx.inTx((db) => withRefused(db, many, name, tally, first, params));
  }
  return { total, done: 0, refused, failed: [...tally.failed], work: null };
}

async function later<N extends string>(ctx: Ctx, of: Selection, job: string, name: N, params: Params, total: number): Promise<number> {
  const work = await addBackgroundJob(ctx, { kind: 'bulk', name: t(ctx.lang, `work.device.${name}`), params: { name, of, params }, total });
  await ctx.enqueue(ctx.db, job, { work, name, of, params }, { key: `work:${work}`, maxAttempts: 3 });
  return work;
}

/** One of these acts done to a selection: at once, or in the background where it is large. */
export const bulkRunner =
  <N extends string>(many: BulkActs<N>) =>
  async (ctx: Ctx, name: N, of: Selection, preview: boolean, params: Params = {}): Promise<BulkOutcome> => {
    if (preview) return lookAhead(ctx, of, many, name, params);
    const total = await countOf(ctx, of);
    const outcome: BulkOutcome = { total, done: 0, refused: 0, failed: [], work: null };
    ctx.audit({ target: `${name}: ${total} devices` });
    if (total > BATCH) return { ...outcome, work: await later(ctx, of, many.job, name, params, total) };
    const { done, refused, failed } = await runBatches(ctx, of, many, name, params);
    return { ...outcome, done, refused, failed: [...failed] };
  };

/** What an earlier run came to, as it noted it with its last batch. */
const Reached = z.object({
  after: z.int(),
  done: z.int(),
  refused: z.int(),
  failed: z.array(z.object({ id: z.int(), label: z.string(), fault: z.string() })),
});
const reachedOf = ({ params }: BackgroundJobRow): z.output<typeof Reached> => {
  const { reached } = params as { reached?: unknown };
  return reached === undefined ? { after: 0, ...noTally, failed: [] } : Reached.parse(reached);
};
/** False where its owner cancelled it. */
async function noteReached(db: Db, work: number, tally: Tally, after: number): Promise<boolean> {
  const reached = JSON.stringify({ after, ...tally });
  await sql`update work set params = jsonb_set(params, '{reached}', ${reached}::jsonb) where id = ${work} and state = 'running'`.execute(
    db,
  );
  return isWanted(db, work, tally.done, null);
}

const reasonOf = (error: unknown): string | undefined => (error instanceof Fault ? error.fault : brokenBy(error, 'BAD_INPUT'));

/** Twice is harmless: one that begins again goes on after the last batch that was committed, and each act leaves alone what it was done to already. */
export const bulkJobOf = <N extends string>(many: BulkActs<N>) =>
  job({
    name: many.job,
    payload: z.object({
      work: z.int(),
      name: z.enum(Object.keys(many.acts) as [N, ...N[]]),
      of: z.unknown(),
      params: z.record(z.string(), z.unknown()),
    }),
    run: async (ctx, { work, name, of, params }) => {
      const row = await startBackgroundJob(ctx, work);
      if (!row) return;
      const { after, ...before } = reachedOf(row);
      let tally: Tally = before;
      let wanted = true;
      const course: Course = {
        async ahead(now) {
          tally = now;
          if (!isAllowed(await ctx.permissionsNow(), many.cans[name as N])) throw fault('FORBIDDEN');
        },
        async note(db, now, last) {
          wanted = await noteReached(db, work, now, last);
          return wanted;
        },
        after,
      };
      const found = () => ({ failed: tally.refused, failures: JSON.stringify(tally.failed) });
      try {
        tally = await runBatches(ctx, of as Selection, many, name as N, { ...params, work }, course, before);
        await ctx.inTx((db) =>
          wanted
            ? endBackgroundJob(ctx, db, work, 'finish', { done: tally.done, ...found() })
            : noteCancelled(ctx, db, work, { done: tally.done, ...found() }),
        );
      } catch (error) {
        const reason = reasonOf(error);
        if (reason === undefined) throw error;
        await ctx.inTx((db) => endBackgroundJob(ctx, db, work, 'fail', { reason, done: tally.done, ...found() }));
      }
    },
  });

const ownActs = { job: 'device.bulk', acts: bulkActs, cans: bulkCans, changeable, failures: bulkFailures };
export const runBulk = bulkRunner(ownActs);
export const bulkJob = bulkJobOf(ownActs);
