import { Fault, fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import type { TextKey } from '@mooring/contract/texts';
import { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { addBackgroundJob, endBackgroundJob, isWanted, noteCancelled, startBackgroundJob } from '../../platform/work/work.ts';

/** More than one batch goes on in the background. */
export const BATCH = 500;
const FAILED_SHOWN = 100;

export interface Failed {
  readonly id: number;
  readonly label: string;
  readonly fault: string;
}
/** What one batch came to; `last` is undefined where nothing was left. */
export interface Step {
  readonly last: number | undefined;
  readonly done: number;
  readonly failed: readonly Failed[];
}
type Params = Record<string, unknown>;
export interface Act {
  readonly title: TextKey;
  /** What it takes; a job asks again. */
  readonly can: string;
  /**
   * In a transaction of its own; rows that it was done to already aren't met again. `seen` is of the whole run: the documents that it came to, with
   * what an act keeps of each.
   */
  readonly step: (ctx: Ctx, params: Params, after: number, seen: Map<number, number>) => Promise<Step>;
}

interface Tally {
  done: number;
  refused: number;
  readonly failed: Failed[];
}

/** Batch by batch, by id, each in a transaction of its own: an end in the middle leaves whole batches done. */
async function runSteps(ctx: Ctx, act: Act, params: Params, goesOn: (tally: Tally) => Promise<boolean> = async () => true): Promise<Tally> {
  const tally: Tally = { done: 0, refused: 0, failed: [] };
  const seen = new Map<number, number>();
  for (let after = 0; ; ) {
    const { last, done, failed } = await act.step(ctx, params, after, seen);
    tally.done += done;
    tally.refused += failed.length;
    tally.failed.push(...failed.slice(0, FAILED_SHOWN - tally.failed.length));
    const isOn = await goesOn(tally);
    if (last === undefined || !isOn) return tally;
    after = last;
  }
}

export const makeMany = <N extends string>(acts: Readonly<Record<N, Act>>) => {
  const run = async (ctx: Ctx, name: N, params: Params, total: number): Promise<BulkOutcome> => {
    const outcome = { total, done: 0, refused: 0, failed: [], work: null };
    const act = acts[name];
    if (total <= BATCH) return { ...outcome, ...(await runSteps(ctx, act, params)) };
    const work = await ctx.withScope(async (inner) => {
      const id = await addBackgroundJob(inner, { kind: 'bulk', name: t(ctx.lang, act.title), params: { name, params }, total });
      await inner.enqueue(inner.db, 'inventory.many', { work: id, name, params }, { key: `work:${id}` });
      return id;
    });
    return { ...outcome, work };
  };
  /** Twice is harmless: each step leaves alone what it was done to already. */
  const manyJob = job({
    name: 'inventory.many',
    payload: z.object({ work: z.int(), name: z.enum(Object.keys(acts) as [N, ...N[]]), params: z.record(z.string(), z.unknown()) }),
    run: async (ctx, { work, name, params }) => {
      if (!(await startBackgroundJob(ctx, work))) return;
      const act = acts[name as N];
      let wanted = true;
      try {
        // Whoever asked for it may have lost the right since.
        if (!ctx.actor.permissions.has(act.can)) throw fault('FORBIDDEN');
        const { done, refused, failed } = await runSteps(ctx, act, params, async (tally) => {
          wanted = await ctx.inTx((db) => isWanted(db, work, tally.done, null));
          return wanted;
        });
        const failures = { failed: refused, failures: JSON.stringify(failed) };
        await ctx.inTx((db) =>
          wanted ? endBackgroundJob(ctx, db, work, 'finish', failures) : noteCancelled(ctx, db, work, { done, ...failures }),
        );
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        await ctx.inTx((db) => endBackgroundJob(ctx, db, work, 'fail', { reason: error.fault }));
      }
    },
  });
  return { run, manyJob };
};
