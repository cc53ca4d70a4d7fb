import type { Alarm, alarmCalls } from '@mooring/contract/alert/alarm';
import { kindsOf } from '@mooring/contract/alert/conditions';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { BulkOutcome } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { isBelow } from '../../platform/db/below.ts';
import { all, containsWords, exact, range } from '../../platform/db/criteria.ts';
import { move } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { alarmRows } from './open-alarms.ts';
import { ALARM_CALLS } from './watch.ts';

/** Conditions that hold for some time; what happens once may happen again. */
const LASTING = [...kindsOf('terminal'), 'outage'];

type Act = 'acknowledge' | 'close';
type Criteria = z.output<typeof Alarm.criteria>;
/** Of all alarms, or of a list that shows some of them by fewer criteria. */
interface Chosen {
  readonly of: { ids: number[] } | { criteria: Criteria; except: number[] };
  readonly note: string;
  readonly preview: boolean;
}

/** What an act writes besides the state; a word that was written stays where none comes with it. */
const written = (ctx: Ctx, act: Act, note: string) => {
  const [by, at] = act === 'close' ? ['closed_by', 'closed_at'] : ['acknowledged_by', 'acknowledged_at'];
  return {
    [by as string]: ctx.actor.userName,
    [at as string]: ctx.now(),
    tell_at: null,
    // Who is below the organisation of a rule doesn't see it, and silences nobody above.
    escalate_at:
      act === 'close'
        ? null
        : sql`case when not exists (select from alert_rule a where a.id = t.rule_id and starts_with(a.dept_path, ${ctx.scope.path})) then escalate_at end`,
    ended_since: null,
    // What still holds would open again with the next look.
    ...(act === 'close' ? { quiet: sql`kind = any(${LASTING}::text[])` } : {}),
    ...(note === '' ? {} : { note }),
  };
};
const done = (ctx: Ctx, db: Db, act: Act, which: readonly number[] | RawBuilder<unknown>, note: string) =>
  move(db, alarmRows, act, which, { actorId: ctx.actor.userId, set: written(ctx, act, note) });

export const one =
  <R extends { label: string }>(act: Act, read: (ctx: Ctx, id: number) => Promise<R>) =>
  async (ctx: Ctx, { id, note }: { id: number; note: string }): Promise<R> => {
    const before = await read(ctx, id);
    if ((await done(ctx, ctx.db, act, [id], note)).length === 0) throw fault('OVERTAKEN');
    await ctx.invalidate(ctx.db, ALARM_CALLS);
    ctx.audit({ target: `alarm ${before.label}`, after: { note } });
    return read(ctx, id);
  };

const meets = async (ctx: Ctx, criteria: Criteria) =>
  all(
    containsWords(['label', 'rule_name'], criteria.text),
    exact('state', criteria.state),
    exact('priority', criteria.priority),
    exact('kind', criteria.kind),
    exact('rule_id', criteria.ruleId),
    exact('device_id', criteria.deviceId),
    exact('product_id', criteria.productId),
    exact('dept_id', criteria.deptId),
    criteria.below === undefined ? undefined : await isBelow(ctx, 'dept_path', criteria.below),
    range('opened_at', criteria.openedAt),
  );

const BATCH = 2000;
/** So many in one call: of more it says how many were done, and the next call goes on. */
const MOST = 20_000;
const SHOWN = 100;
/** Those that the act may still be done with; the others are refused, and named as far as they were chosen one by one. */
export const many =
  (act: Act, among?: RawBuilder<boolean>) =>
  async (ctx: Ctx, { of, note, preview }: Chosen): Promise<BulkOutcome> => {
    const { from } = alarmRows.machine.events[act];
    const chosen =
      'ids' in of
        ? sql<boolean>`id = any(${of.ids}::bigint[])`
        : all(await meets(ctx, of.criteria), sql`id <> all(${of.except}::bigint[])`);
    const named = all(among, chosen);
    const fits = sql<boolean>`(${named} and state = any(${[...from]}::text[]))`;
    const counted = await ctx.inTx((db) =>
      sql<{
        total: number;
        fit: number;
      }>`select count(*)::int as total, count(*) filter (where state = any(${[...from]}::text[]))::int as fit
        from alert_alarm where ${named}`.execute(db),
    );
    const { total = 0, fit = 0 } = counted.rows[0] ?? {};
    const failed = await ctx.inTx((db) =>
      sql<{
        id: number;
        label: string;
      }>`select id, label from alert_alarm where ${named} and not state = any(${[...from]}::text[]) limit ${SHOWN}`.execute(db),
    );
    const refused = { refused: total - fit, failed: failed.rows.map((row) => ({ ...row, fault: 'OVERTAKEN' })) };
    if (preview) return { total, done: 0, work: null, ...refused };
    let [count, tried, after] = [0, 0, 0];
    for (let last = BATCH; last === BATCH && tried < MOST; tried += last) {
      last = await ctx.inTx(async (db) => {
        const next = await sql<{
          id: number;
        }>`select id from alert_alarm where ${fits} and id > ${after} order by id limit ${BATCH}`.execute(db);
        const moved = await done(
          ctx,
          db,
          act,
          next.rows.map((row) => row.id),
          note,
        );
        if (moved.length > 0) await ctx.invalidate(db, ALARM_CALLS);
        count += moved.length;
        after = next.rows.at(-1)?.id ?? after;
        return next.rows.length;
      });
    }
    // Those that somebody else was faster with.
    refused.refused += tried - count;
    ctx.audit({ target: 'alarms', after: { done: count, refused: refused.refused, note } });
    return { total, done: count, work: null, ...refused };
  };

const MUTED_DAYS = 90;
/** Silence ends by itself, and soon enough. */
export function checkUntil(ctx: Ctx, until: string | null): void {
  if (until !== null && Date.parse(until) > ctx.now().getTime() + MUTED_DAYS * 86_400_000)
    throw new Fault('BAD_INPUT', { fields: { until: 'invalid.alertParams' } });
}

/** For the rules at and below the organisation that the person acts for. */
export const muteDevice: Handler<typeof alarmCalls.muteDevice> = async (ctx, { deviceId, until }) => {
  checkUntil(ctx, until);
  const { path } = ctx.scope;
  const device = await ctx.db.selectFrom('device').select(['sn', 'dept_path']).where('id', '=', deviceId).executeTakeFirstOrThrow();
  if (until === null) await sql`delete from alert_mute where device_id = ${deviceId} and starts_with(by_path, ${path})`.execute(ctx.db);
  else
    await sql`insert into alert_mute (device_id, until, by_path, dept_path) values (${deviceId}, ${until}, ${path}, ${device.dept_path})
      on conflict (device_id, by_path) do update set until = excluded.until, dept_path = excluded.dept_path`.execute(ctx.db);
  await ctx.invalidate(ctx.db, ALARM_CALLS);
  ctx.audit({ target: `device ${device.sn}`, after: { mutedUntil: until } });
  return null;
};
