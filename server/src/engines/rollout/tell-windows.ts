import { randomBytes } from 'node:crypto';
import type { Window } from '@mooring/contract/device/messages';
import { openHours } from '@mooring/contract/shared/time-window';
import { isTimeZone } from '@mooring/contract/shared/time-zone';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { job } from '../../platform/module.ts';
import { windowsOf } from './blackouts.ts';
import { endOf } from './task.ts';
import { Which } from './which-devices.ts';

export const TELL_WINDOWS = 'rollout.tellWindows';
const BATCH = 1000;
const GUESS_BYTES = 8;

interface Told {
  readonly id: number;
  readonly offer: string;
  readonly device_id: number;
  readonly kind: string;
  readonly dept_path: string;
  /** It waits for its window, by its own word. */
  readonly waits: boolean;
  readonly able: boolean;
  readonly window: Window | null;
  readonly timeout: number;
  readonly time_zone: string | null;
  readonly expires_at: Date | null;
  readonly task_class: string;
}

/** When silence is too long for who waits: once the new window has been open. Where there is none any more, from now. */
function dueOf({ timeout, time_zone: zone }: Told, window: Window | null, now: Date): Date {
  const opened = window ? openHours(window, now, zone && isTimeZone(zone) ? zone : 'UTC', 1)[0]?.to : undefined;
  return new Date((opened ?? now).getTime() + timeout * 60_000);
}

/**
 * Results of which a terminal may still hold an offer: also those that were timed out, as long as their release could go on. By the keys of
 * devices, or of releases that have begun: among all there ever were it would take minutes.
 */
const holding = (of: Which, now: Date) =>
  'ids' in of
    ? sql`r.id = any(array(select o.id from unnest(${of.ids}::bigint[]) as d(id),
        lateral (select x.id from rollout_result x where x.device_id = d.id and x.state in ('1', '2', '5', '8') offset 0) o))`
    : sql`r.task_id = any(array(select t.id from rollout_task t where t.started_at is not null and t.expires_at > ${now}))
        and r.state in ('1', '2', '5', '8') and r.dept_path >= ${of.below} and r.dept_path < ${`${of.below}~`}`;

/**
 * Dates on which nothing is installed are others: terminals that have an offer already are told its window anew, and what isn't delivered yet
 * is put right. What ended, or is being installed, is left alone. Answers after which result it stopped, or nothing where that was the last one.
 */
async function tellWindows(db: Db, ctx: Ctx, of: Which, after: number): Promise<number | undefined> {
  const { rows: results } = await sql<{ id: number }>`
    select r.id from rollout_result r where ${holding(of, ctx.now())} and r.attempts > 0 and r.id > ${after} order by r.id limit ${BATCH} for no key update`.execute(
    db,
  );
  const last = results.at(-1)?.id;
  const { rows } = await sql<Told>`
    select r.id, a.offer, r.device_id, r.kind, r.dept_path, a.offer = r.offer and r.state = '2' and r.phase = 'waiting' and r.reason = 'window' as waits,
      d.capabilities @> '{newWindow}'::text[] as able, t.delivery->'window' as window, (t.delivery->>'timeoutMinutes')::int as timeout, d.time_zone, t.expires_at, t.task_class
    from rollout_result r join rollout_task t on t.id = r.task_id join device d on d.id = r.device_id join rollout_attempt a on a.result_id = r.id
    where r.id = any(${results.map((row) => row.id)}::bigint[]) and a.ended_at is null and (a.offer <> r.offer or r.phase is distinct from 'installing') order by r.id`.execute(
    db,
  );
  if (rows.length === 0) return last;
  const now = ctx.now();
  const windowOf = await windowsOf(
    db,
    rows.map((row) => row.dept_path),
    now,
  );
  const told = rows.map((row) => ({ ...row, anew: windowOf(row.dept_path, row.window) }));
  const waits = told.filter((row) => row.waits).map((row) => ({ id: row.id, due: dueOf(row, row.anew, now) }));
  await sql`
    update rollout_result r set due_at = w.due from jsonb_to_recordset(${JSON.stringify(waits)}::jsonb) as w(id bigint, due timestamptz) where r.id = w.id`.execute(
    db,
  );
  const offers = JSON.stringify(told.map((row) => ({ offer: row.offer, device_id: row.device_id, anew: row.anew })));
  const undelivered = await sql<{ key: string; state: string }>`
    update gateway_outbox o set data = jsonb_set(o.data, '{window}', coalesce(w.anew, 'null'))
    from jsonb_to_recordset(${offers}::jsonb) as w(offer text, device_id bigint, anew jsonb)
    where o.key = w.offer and o.device_id = w.device_id and o.topic = 'offer' and o.state in ('waiting', 'sent') returning o.key, o.state`.execute(
    db,
  );
  // The last word alone counts: what was told before and isn't answered goes.
  await sql`
    delete from gateway_outbox where device_id = any(${told.map((row) => row.device_id)}::bigint[]) and topic = 'offer' and state in ('waiting', 'sent')
      and key <> data->>'offer' and data->>'offer' = any(${told.map((row) => row.offer)}::text[])`.execute(db);
  const waiting = new Set(undelivered.rows.filter((row) => row.state === 'waiting').map((row) => row.key));
  await ctx.sendMessages(
    db,
    told
      .filter((row) => row.able && !waiting.has(row.offer))
      .map((row) => ({
        deviceId: row.device_id,
        kind: 'offer' as const,
        key: `w-${randomBytes(GUESS_BYTES).toString('hex')}-${row.offer}`,
        data: { offer: row.offer, kind: row.kind, window: row.anew },
        expiresAt: endOf(row, now),
      })),
  );
  return last;
}

export const tellWindowsJob = job({
  name: TELL_WINDOWS,
  payload: Which,
  async run(ctx, of) {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const from: number = after;
      after = await ctx.unscoped((db) => tellWindows(db, ctx, of, from));
    }
  },
});
