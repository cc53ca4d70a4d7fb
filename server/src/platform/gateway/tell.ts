import type { Down } from '@mooring/contract/device/messages';
import { sql } from 'kysely';
import type { Db } from '../context.ts';

/** Kinds that are kept until answered. */
export type Durable = 'offer' | 'cancel' | 'command' | 'config';

export interface Tell<K extends Durable = Durable> {
  readonly deviceId: number;
  readonly kind: K;
  /** Message id; made from the row where left out. The same key again changes nothing, so telling twice is harmless. */
  readonly key?: string;
  /** A command's sequence and expiry are filled in when it is sent. */
  readonly data: K extends 'command' ? Pick<Down['command'], 'command' | 'params'> : Down[K];
  readonly expiresAt: Date;
  readonly actor?: { readonly userId: number; readonly userName: string };
}

/**
 * Says something to devices in the transaction of the change (commit first, act after): the gateway sends it when it is committed
 * and the device is in contact, and repeats it until answered. Runs under the policies of `db`: who doesn't see a device can't
 * speak to it. Answers how many were taken.
 */
export async function tell(db: Db, messages: readonly Tell[]): Promise<number> {
  if (messages.length === 0) return 0;
  const rows = JSON.stringify(
    messages.map((one) => ({
      device_id: one.deviceId,
      topic: one.kind,
      kind: one.kind === 'command' ? (one.data as Tell<'command'>['data']).command : one.kind,
      key: one.key ?? null,
      data: one.data,
      expires_at: one.expiresAt.toISOString(),
      actor_id: one.actor?.userId ?? null,
      actor_name: one.actor?.userName ?? null,
    })),
  );
  const result = await sql`
    insert into gateway_outbox (key, device_id, sn, dept_path, topic, kind, data, next_at, expires_at, actor_id, actor_name)
    select coalesce(m.key, 'm-' || gen_random_uuid()), d.id, d.sn, d.dept_path, m.topic, m.kind, m.data,
      case when coalesce(p.online, false) then now() else 'infinity' end, m.expires_at, m.actor_id, m.actor_name
    from jsonb_to_recordset(${rows}::jsonb) as m(device_id bigint, topic text, kind text, key text, data jsonb, expires_at timestamptz, actor_id bigint, actor_name text)
    join device d on d.id = m.device_id and d.deleted_at is null
    left join device_presence p on p.device_id = d.id
    on conflict (key) do nothing`.execute(db);
  return Number(result.numAffectedRows ?? 0);
}

/** Takes messages back before they are answered, by their keys; a terminal that has one already answers it anyway. */
export async function untell(db: Db, keys: readonly string[]): Promise<void> {
  await sql`delete from gateway_outbox where key = any(${keys}::text[]) and topic <> 'command' and state in ('waiting', 'sent')`.execute(
    db,
  );
}
