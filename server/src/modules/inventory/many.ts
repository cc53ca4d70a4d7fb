import { Fault, fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import type { TextKey } from '@mooring/contract/texts';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import {
  addBackgroundJob,
  type BackgroundJobRow,
  endBackgroundJob,
  isWanted,
  noteCancelled,
  startBackgroundJob,
} from '../../platform/work/work.ts';

/** Servers of the version before know runs by the old name only: they leave these alone, and what they queued themselves goes on here. */
const [RUN, RUN_BEFORE] = ['inventory.chosen', 'inventory.many'];
/** More than one batch goes on in the background. */
export const BATCH = 500;
const FAILED_SHOWN = 100;

const Failed = z.object({ id: z.int(), label: z.string(), fault: z.string() });
export type Failed = Readonly<z.output<typeof Failed>>;
/** Where a run is: at which of its documents, after which row there, and what it keeps of that document. An act without documents is at its first. */
const Place = z.object({ document: z.int(), after: z.int(), kept: z.int().nullable() });
export type Place = Readonly<z.output<typeof Place>>;
const START: Place = { document: 0, after: 0, kept: null };
/** After a batch of rows by their ids, where more may follow. */
export const afterBatch = (ids: readonly number[]): Place | undefined =>
  ids.length < BATCH ? undefined : { ...START, after: ids.at(-1) ?? 0 };

/** What one batch came to; `next` is undefined where nothing is left. */
export interface Step {
  readonly next: Place | undefined;
  readonly done: number;
  readonly failed: readonly Failed[];
}
/** Called in the transaction of a step: what it did, and that it did it, stands there together or not at all. */
export type Note = (db: Db, step: Step) => Promise<void>;
type Params = Record<string, unknown>;
export interface Act {
  readonly title: TextKey;
  /** What it takes; a job asks again. */
  readonly can: string;
  /** In a transaction of its own. One that doesn't note itself must leave alone what it was done to already. */
  readonly step: (ctx: Ctx, params: Params, place: Place, note: Note) => Promise<Step>;
}

/** How far a run has come, as its job keeps it. */
const Reached = z.object({ next: Place.nullable(), done: z.int(), refused: z.int(), failed: z.array(Failed) });
type Reached = z.output<typeof Reached>;
const begun: Reached = { next: START, done: 0, refused: 0, failed: [] };
const plus = (before: Reached, { next, done, failed }: Step): Reached => ({
  next: next ?? null,
  done: before.done + done,
  refused: before.refused + failed.length,
  failed: [...before.failed, ...failed.slice(0, Math.max(0, FAILED_SHOWN - before.failed.length))],
});
const reachedOf = ({ params }: BackgroundJobRow): Reached => {
  const { reached } = params as { reached?: unknown };
  return reached === undefined ? begun : Reached.parse(reached);
};

/** Batch by batch, each in a transaction of its own: an end in the middle leaves whole batches done. */
async function* stepsOf(ctx: Ctx, act: Act, params: Params, begin: Reached, note?: (db: Db, reached: Reached) => Promise<void>) {
  let reached = begin;
  while (reached.next) {
    const before = reached;
    let noted = note === undefined;
    const step = await act.step(ctx, params, reached.next, async (db, done) => {
      await note?.(db, plus(before, done));
      noted = true;
    });
    reached = plus(before, step);
    const now = reached;
    if (!noted) await ctx.inTx(async (db) => note?.(db, now));
    yield reached;
  }
}

/** What is known of a run before it begins. */
interface Ahead {
  /** How much work it is, where that isn't how many there are. */
  readonly weight?: number;
  /** Of what was chosen, what it can't happen to. */
  readonly refused?: number;
  readonly failed?: readonly Failed[];
}
export const makeMany = <N extends string>(acts: Readonly<Record<N, Act>>) => {
  const run = async (ctx: Ctx, name: N, params: Params, total: number, ahead: Ahead = {}): Promise<BulkOutcome> => {
    const act = acts[name];
    const { weight = total, refused = 0, failed = [] } = ahead;
    let reached: Reached = { ...begun, refused, failed: [...failed] };
    if (weight <= BATCH) {
      for await (const now of stepsOf(ctx, act, params, reached)) reached = now;
      return { total, done: reached.done, refused: reached.refused, failed: reached.failed, work: null };
    }
    const work = await ctx.withScope(async (inner) => {
      const id = await addBackgroundJob(inner, { kind: 'bulk', name: t(ctx.lang, act.title), params: { name, reached }, total });
      await inner.enqueue(inner.db, RUN, { work: id, name, params }, { key: `work:${id}` });
      return id;
    });
    return { total, done: 0, refused, failed: reached.failed, work };
  };
  /** Twice is harmless: one that begins again goes on after the last step that was noted. */
  const runs = {
    payload: z.object({ work: z.int(), name: z.enum(Object.keys(acts) as [N, ...N[]]), params: z.record(z.string(), z.unknown()) }),
    run: async (ctx: Ctx, { work, name, params }: { work: number; name: string; params: Params }) => {
      const row = await startBackgroundJob(ctx, work);
      if (!row) return;
      const act = acts[name as N];
      let reached = reachedOf(row);
      let wanted = true;
      const note = async (db: Db, now: Reached) => {
        const kept = JSON.stringify(now);
        await sql`update work set params = jsonb_set(params, '{reached}', ${kept}::jsonb) where id = ${work} and state = 'running'`.execute(
          db,
        );
        wanted = await isWanted(db, work, now.done, null);
      };
      const found = () => ({ done: reached.done, failed: reached.refused, failures: JSON.stringify(reached.failed) });
      try {
        // Whoever asked for it may have lost the right since.
        if (!ctx.actor.permissions.has(act.can)) throw fault('FORBIDDEN');
        for await (const now of stepsOf(ctx, act, params, reached, note)) {
          reached = now;
          if (!wanted) break;
        }
        await ctx.inTx((db) => (wanted ? endBackgroundJob(ctx, db, work, 'finish', found()) : noteCancelled(ctx, db, work, found())));
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        await ctx.inTx((db) => endBackgroundJob(ctx, db, work, 'fail', { reason: error.fault, ...found() }));
      }
    },
  };
  return { run, manyJobs: [RUN, RUN_BEFORE].map((name) => job({ name, ...runs })) };
};
