import { PROTOCOL_VERSION } from '@mooring/contract/device/limits';
import { THINGS } from '@mooring/contract/device/thing/thing-calls';
import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import type { Db } from '../context.ts';
import { move } from '../db/move.ts';
import { GROUP, handleReplies, outboxRows } from './handle-replies.ts';
import { onUp, type UpMessage } from './message.ts';

export interface Due {
  readonly id: number;
  readonly key: string;
  readonly sn: string;
  readonly topic: 'offer' | 'cancel' | 'command' | 'config';
  readonly data: Record<string, unknown>;
  readonly expires_at: Date;
  readonly next_at: string;
  readonly online: boolean;
}

/** How long a message that was sent waits for its answer before it is repeated for the first time. */
export const REPEAT_SECONDS = 15;

/**
 * Takes messages that are due and notes that they are sent, before they are: a process that dies in between repeats them. Each
 * repetition waits longer, to ten minutes.
 */
export async function claimDue(db: Db, now: Date, limit: number): Promise<Due[]> {
  const claimed = await sql<Due>`
    with due as (
      select id, device_id from gateway_outbox where state in ('waiting', 'sent') and next_at <= ${now} and next_at < 'infinity' and expires_at > ${now}
      order by next_at limit ${limit} for update skip locked
    )
    update gateway_outbox o set state = 'sent', attempts = attempts + 1, sent_at = coalesce(sent_at, ${now}::timestamptz),
      next_at = ${now}::timestamptz + least(${REPEAT_SECONDS} * power(2, least(o.attempts, 10)), 600) * interval '1 second'
    from due left join device_presence p on p.device_id = due.device_id where o.id = due.id
    returning o.id, o.key, o.sn, o.topic, o.data, o.expires_at, o.next_at::text as next_at, coalesce(p.online, false) as online`.execute(
    db,
  );
  return claimed.rows;
}

/** Whether there is anything to send or to cut: one statement, since most looks find nothing. What is due and over is left to `expireOld`. */
export async function hasDue(db: Db, now: Date): Promise<{ cut: boolean; due: boolean }> {
  const { rows } = await sql<{ cut: boolean; due: boolean }>`
    select exists (select from gateway_cut) as cut, coalesce((
      select next_at from gateway_outbox where state in ('waiting', 'sent') and next_at < 'infinity' order by next_at limit 1) <= ${now}, false) as due`.execute(
    db,
  );
  return rows[0] ?? { cut: false, due: false };
}

const NOT_LISTENING_SECONDS = 30;

/**
 * The terminal isn't there: it gets the message at its next hello. One that is in contact and doesn't listen yet gets it a little
 * later. `next_at` guards against a hello that came in between; one that is coming at this moment holds the row, and has the word.
 */
export const park = (db: Db, due: readonly Due[]) =>
  sql`
  with d as (
    select o.id, d.online from unnest(${due.map((one) => one.id)}::bigint[], ${due.map((one) => one.next_at)}::timestamptz[], ${due.map((one) => one.online)}::boolean[]) as d(id, at, online)
    join gateway_outbox o on o.id = d.id where o.next_at = d.at and o.state in ('waiting', 'sent') for update of o skip locked
  )
  update gateway_outbox o set next_at = case when d.online then o.next_at + ${NOT_LISTENING_SECONDS} * interval '1 second' else 'infinity' end
  from d where o.id = d.id`.execute(db);

export function wireOf(due: Due, now: Date): string {
  const data = due.topic === 'command' ? { ...due.data, seq: due.id, expiresAt: due.expires_at.toISOString() } : due.data;
  return JSON.stringify({ v: PROTOCOL_VERSION, id: due.key, at: now.toISOString(), data });
}

/** Ends what nobody answered in time. */
export async function expireOld(app: AppContext, now: Date): Promise<number> {
  return app.inBulk(async (db) => {
    const over = await move(
      db,
      outboxRows,
      'expire',
      sql`id in (select id from gateway_outbox where state in ('waiting', 'sent') and topic = 'command' and expires_at <= ${now} order by expires_at limit 1000)`,
    );
    await sql`delete from gateway_outbox where id in (select id from gateway_outbox where state in ('waiting', 'sent') and topic <> 'command' and expires_at <= ${now} limit 5000)`.execute(
      db,
    );
    if (over.length > 0) for (const group of [GROUP, THINGS]) await app.invalidate(db, group, '1.');
    return over.length;
  });
}

/** Parked a moment ago, and the terminal is in contact: it said hello while the message was told, and missed it. */
export const missed = (now: Date) => sql`
  select o.id from gateway_outbox o join device_presence p on p.device_id = o.device_id
  where o.next_at = 'infinity' and o.state in ('waiting', 'sent') and o.created_at > ${now}::timestamptz - interval '3 minutes' and p.online`;

export const unparkMissed = (db: Db, now: Date) =>
  sql`update gateway_outbox set next_at = ${now} where id in (${missed(now)} for update of o skip locked)`.execute(db);

/** Terminals are in contact: what waits for them is due. */
export const wake = (db: Db, deviceIds: readonly number[], now: Date) =>
  sql`update gateway_outbox set next_at = ${now} where device_id = any(${deviceIds}::bigint[]) and state in ('waiting', 'sent')`.execute(
    db,
  );

/** Any word about an offer ends the sending of the offer. */
export const endActions = (db: Db, said: readonly UpMessage<'progress' | 'result'>[]) =>
  sql`delete from gateway_outbox o using (select distinct * from unnest(${said.map((one) => one.data.offer)}::text[], ${said.map((one) => one.deviceId)}::bigint[])) as a(key, device_id)
  where o.key = a.key and o.device_id = a.device_id and o.topic = 'offer'`.execute(db);

/** A reply ends commands, cancels, configs, and what is told of an offer later. */
export const outboxHandlers = [onUp('reply', handleReplies)];
