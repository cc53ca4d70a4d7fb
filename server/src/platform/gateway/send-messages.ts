import { randomUUID } from 'node:crypto';
import type { Down } from '@mooring/contract/device/messages';
import { sql } from 'kysely';
import type { Db } from '../context.ts';
import { afterCommit } from '../db/lazy-tx.ts';
import type { Dispatch } from './dispatcher.ts';
import { type Due, REPEAT_SECONDS } from './outbox.ts';

/** Kinds that are kept until answered. */
export type Durable = 'offer' | 'cancel' | 'command' | 'config';

export interface OutboundMessage<K extends Durable = Durable> {
  readonly deviceId: number;
  readonly kind: K;
  /** Message id; made from the row where left out. The same key again changes nothing, so telling twice is harmless. */
  readonly key?: string;
  /** A command's sequence and expiry are filled in when it is sent. */
  readonly data: K extends 'command' ? Pick<Down['command'], 'command' | 'params'> : Down[K];
  readonly expiresAt: Date;
  readonly actor?: { readonly userId: number; readonly userName: string };
}

/** Who sends what is told, and the time. */
export interface SendOptions {
  readonly dispatch: Dispatch;
  readonly now: Date;
}

/**
 * Says something to devices in the transaction of the change (commit first, act after): the gateway sends it when it is committed
 * and the device is in contact, and repeats it until answered. With a carrier what can go at once is noted as sent already and given to it after
 * the commit: it isn't looked up again. Runs under the policies of `db`: who doesn't see a device can't speak to it. Answers how many were taken.
 */
export async function sendMessages(db: Db, messages: readonly OutboundMessage[], by?: SendOptions): Promise<number> {
  if (messages.length === 0) return 0;
  const due: Due[] = [];
  const goes = by !== undefined && afterCommit(db, () => due.length > 0 && by.dispatch(due));
  // What is told together stands together in its index.
  const beginning = `m-${randomUUID()}`;
  const keyed = messages.map((one, at) => ({ ...one, key: one.key ?? `${beginning}-${at.toString(36)}` }));
  const rows = JSON.stringify(
    keyed.map((one) => ({
      device_id: one.deviceId,
      topic: one.kind,
      kind: one.kind === 'command' ? (one.data as OutboundMessage<'command'>['data']).command : one.kind,
      key: one.key,
      data: one.data,
      expires_at: one.expiresAt.toISOString(),
      actor_id: one.actor?.userId ?? null,
      actor_name: one.actor?.userName ?? null,
    })),
  );
  const sentAt = goes ? by.now : null;
  const result = await sql<Omit<Due, 'data'> & { sent: boolean }>`
    insert into gateway_outbox (key, device_id, sn, dept_path, topic, kind, data, state, attempts, sent_at, next_at, expires_at, actor_id, actor_name)
    select m.key, d.id, d.sn, d.dept_path, m.topic, m.kind, m.data, case when goes then 'sent' else 'waiting' end, goes::int, case when goes then ${sentAt}::timestamptz end,
      case when goes then ${sentAt}::timestamptz + ${REPEAT_SECONDS} * interval '1 second' when coalesce(p.online, false) then now() else 'infinity' end, m.expires_at, m.actor_id, m.actor_name
    from jsonb_to_recordset(${rows}::jsonb) as m(device_id bigint, topic text, kind text, key text, data jsonb, expires_at timestamptz, actor_id bigint, actor_name text)
    join device d on d.id = m.device_id and d.deleted_at is null
    left join device_presence p on p.device_id = d.id
    cross join lateral (select ${goes}::boolean and coalesce(p.online, false) and m.expires_at > ${sentAt}::timestamptz as goes) g
    on conflict (key) do nothing
    returning id, key, sn, topic, expires_at, next_at::text as next_at, true as online, state = 'sent' as sent`.execute(db);
  const said = new Map(keyed.map((one) => [one.key, one.data as Record<string, unknown>]));
  for (const { sent, ...row } of result.rows) if (sent) due.push({ ...row, data: said.get(row.key) ?? {} });
  return result.rows.length;
}

/** Takes messages back before they are answered, by their keys; a terminal that has one already answers it anyway. */
export async function revokeMessages(db: Db, keys: readonly string[]): Promise<void> {
  await sql`delete from gateway_outbox where key = any(${keys}::text[]) and topic <> 'command' and state in ('waiting', 'sent')`.execute(
    db,
  );
}
