import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import { originForMail } from '../../platform/config/public-origin.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { deleteOld } from '../../platform/db/delete-old.ts';
import { invalidatePaths } from '../../platform/live/invalidate-paths.ts';
import { job } from '../../platform/module.ts';
import { readSetting } from '../../platform/settings.ts';
import { CONSUME, consumeSignals } from './consume-signals.ts';
import { forgetMailHours } from './mail-budget.ts';
import { tellAll } from './tell.ts';
import { lookAtOutages } from './watch-outages.ts';
import { BATCHES, hasWork, lookAtTerminals } from './watch-terminals.ts';

export const ALARM_CALLS = '/alertPush';
const invalidate = (ctx: Ctx, db: Db, paths: readonly string[]) => invalidatePaths(db, ctx, ALARM_CALLS, paths);
/** What says where people reach it. */
type Console = Pick<AppContext, 'config'>;
/** Batches of signals in one run: what is left is taken in the next minute. */
const RUNS = 20;

async function consumeAndTell(app: Console, ctx: Ctx): Promise<void> {
  const now = ctx.now();
  await eachOf([
    async () => {
      for (let at = 0; at < RUNS; at += 1) {
        const isEnd = await ctx.inBulk(async (db) => {
          const taken = await consumeSignals(db, now);
          await invalidate(ctx, db, taken.changed);
          return taken.isEnd;
        });
        if (isEnd) break;
      }
    },
    async () => throwAll(await ctx.inBulk((db) => tellAll(db, { now, origin: originForMail(app.config) }))),
  ]);
}

/** One that fails keeps none of the others back; what failed is said after them. */
async function eachOf(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const failed: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failed.push(error));
  throwAll(failed);
}
function throwAll(failed: readonly unknown[]): void {
  if (failed.length > 0) throw failed.length === 1 ? failed[0] : new AggregateError(failed);
}

async function lookAtAll(ctx: Ctx, now: Date): Promise<void> {
  for (let at = 0; at < BATCHES; at += 1) {
    const isEnd = await ctx.inBulk(async (db) => {
      if (!(await hasWork(db))) return true;
      const look = await lookAtTerminals(db, now);
      await invalidate(ctx, db, look.changed);
      return look.isEnd;
    });
    if (isEnd) break;
  }
}

/** Each minute: what holds opens alarms, what is over closes them, and who is to hear of it does. Each step is its own transaction, harmless twice. */
export const watchAlarms = (app: Console) =>
  job({
    name: 'alert:watch',
    // It looks back exactly as far as each rule says.
    fixed: true,
    payload: z.object({}),
    every: '* * * * *',
    run: async (ctx) => {
      const now = ctx.now();
      await eachOf([
        () => lookAtAll(ctx, now),
        () => ctx.inBulk(async (db) => invalidate(ctx, db, await lookAtOutages(db, now))),
        () => consumeAndTell(app, ctx),
      ]);
    },
  });

/** What happened is told at once; the look each minute takes what this one didn't. */
export const consumeJob = (app: Console) => job({ name: CONSUME, payload: z.object({}), run: (ctx) => consumeAndTell(app, ctx) });

/** Nightly: alarms that were closed longer ago than the settings keep them, and the sums of past days in one row each. Running twice changes nothing. */
export const pruneAlarms = job({
  name: 'alert:prune',
  payload: z.object({}),
  every: '47 3 * * *',
  run: async (ctx) => {
    const now = ctx.now();
    const { alarmsMonths } = await ctx.unscoped((db) => readSetting(db, 'retention'));
    await deleteOld(
      ctx,
      'alert_alarm',
      sql`state = 'closed' and closed_at < ${now}::timestamptz - make_interval(months => ${alarmsMonths})`,
    );
    await ctx.unscoped(async (db) => {
      await sql`delete from alert_mute where until <= ${now}`.execute(db);
      await forgetMailHours(db, now);
      await sql`delete from alert_tally where day < (${now}::timestamptz - make_interval(months => ${alarmsMonths}))::date`.execute(db);
      await sql`with gone as (delete from alert_tally where day >= (${now}::timestamptz - interval '3 days')::date returning *)
        insert into alert_tally (day, rule_id, product_id, priority, n, dept_path)
        select day, rule_id, product_id, priority, sum(n), dept_path from gone group by 1, 2, 3, 4, 6`.execute(db);
    });
  },
});
