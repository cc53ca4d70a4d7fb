import { randomBytes } from 'node:crypto';
import type { Window } from '@mooring/contract/device/messages';
import { openHours } from '@mooring/contract/shared/time-window';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { isOvertaken } from '../../platform/db/away.ts';
import { job } from '../../platform/module.ts';
import { windowsOf } from './blackouts.ts';
import { zoneOf } from './next-window.ts';
import { endOf } from './task.ts';
import { Which } from './which-devices.ts';

export const TELL_WINDOWS = 'rollout.tellWindows';
const BATCH = 1000;
const AGAIN_MS = 60_000;
const MOST_TRIES = 5;
const GUESS_BYTES = 8;

interface Told {
  readonly id: number;
  readonly offer: string;
  readonly device_id: number;
  readonly kind: string;
  readonly dept_path: string;
  /** It waits for its window, by its own word. */
  readonly waits: boolean;
  readonly due_at: Date | null;
  readonly able: boolean;
  readonly window: Window | null;
  readonly timeout: number;
  readonly time_zone: string | null;
  readonly expires_at: Date | null;
  readonly task_class: string;
}

/** When silence is too long for who waits: once the new window has been open. Where there is none any more, from now. */
function dueOf({ timeout, time_zone: zone }: Told, window: Window | null, now: Date): Date {
  const opened = window ? openHours(window, now, zoneOf(zone), 1)[0]?.to : undefined;
  return new Date((opened ?? now).getTime() + timeout * 60_000);
}

/** Who isn't told waits by the former dates, as long as those say. */
const laterOf = ({ able, due_at: due }: Told, anew: Date): Date => (able || due === null || due < anew ? anew : due);

/**
 * Results of which a terminal may still hold an offer: also those that were timed out, as long as their release could go on. By the keys of
 * devices, or of releases that have begun: among all there ever were it would take minutes. Read at once, and gone through in slices.
 */
async function holding(db: Db, { since, ...of }: Which, now: Date): Promise<number[]> {
  const sent = since === undefined ? sql`` : sql`and r.sent_at >= ${since}::timestamptz`;
  const which =
    'ids' in of
      ? sql`r.device_id = any(${of.ids}::bigint[])`
      : sql`r.task_id = any(array(select t.id from rollout_task t where t.started_at is not null and (t.expires_at is null or t.expires_at > ${now})))
          and r.dept_path >= ${of.below} and r.dept_path < ${`${of.below}~`}`;
  const { rows } = await sql<{ id: number }>`
    select r.id from rollout_result r where ${which} and r.state in ('1', '2', '5', '8') and r.attempts > 0 ${sent} order by r.id`.execute(
    db,
  );
  return rows.map((row) => row.id);
}

/**
 * Dates on which nothing is installed are others: terminals that have an offer already are told its window anew, and what isn't delivered yet
 * is put right. What ended, or is being installed, is left alone.
 */
async function tellWindows(db: Db, ctx: Ctx, ids: readonly number[]): Promise<void> {
  await sql`select from rollout_result where id = any(${ids}::bigint[]) order by id for no key update`.execute(db);
  const { rows } = await sql<Told>`
    select r.id, a.offer, r.device_id, r.kind, d.dept_path, a.offer = r.offer and r.state in ('2', '8') and r.phase = 'waiting' and r.reason = 'window'
      and exists (select from device_presence p where p.device_id = r.device_id and p.online) as waits, r.due_at,
      d.capabilities @> '{newWindow}'::text[] as able, t.delivery->'window' as window, (t.delivery->>'timeoutMinutes')::int as timeout, d.time_zone, t.expires_at, t.task_class
    from rollout_result r join rollout_task t on t.id = r.task_id join device d on d.id = r.device_id join rollout_attempt a on a.result_id = r.id
    where r.id = any(${ids}::bigint[]) and r.state in ('1', '2', '5', '8') and a.ended_at is null
      and (a.offer <> r.offer or r.phase is distinct from 'installing') order by r.id`.execute(db);
  if (rows.length === 0) return;
  const now = ctx.now();
  const windowOf = await windowsOf(
    db,
    rows.map((row) => row.dept_path),
    now,
  );
  const told = rows.map((row) => ({ ...row, anew: windowOf(row.dept_path, row.window) }));
  const waits = told.filter((row) => row.waits).map((row) => ({ id: row.id, due: laterOf(row, dueOf(row, row.anew, now)) }));
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
}

/** Results and messages are locked by whoever handles what terminals say too, the other way round: whoever gave way begins that slice anew. */
async function inTurn(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isOvertaken(error) || tries === MOST_TRIES) throw error;
    }
  }
}

export const tellWindowsJob = job({
  name: TELL_WINDOWS,
  payload: Which,
  async run(ctx, of) {
    const { unscoped, now } = ctx;
    const at = now().getTime();
    const ids = await unscoped((db) => holding(db, of, now()));
    for (let from = 0; from < ids.length; from += BATCH)
      await inTurn(() => unscoped((db) => tellWindows(db, ctx, ids.slice(from, from + BATCH))));
    // What was being sent by the former dates while these were written is sent by now.
    if (of.since !== undefined) return;
    const since = new Date(at - AGAIN_MS).toISOString();
    await unscoped((db) => ctx.enqueue(db, TELL_WINDOWS, { ...of, since }, { runAt: new Date(at + AGAIN_MS) }));
  },
});
