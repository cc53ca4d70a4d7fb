import { GRACE_SECONDS } from '@mooring/contract/device/limits';
import { sql } from 'kysely';
import { onUp } from '../../platform/gateway/message.ts';
import type { TimerWheel } from './timer-wheel.ts';

/** A connection ended: the lease is shortened, not ended, since most breaks last seconds. An older connection's end says nothing. */
export const handleBye = (wheel: TimerWheel) =>
  onUp('bye', async (db, batch, app) => {
    const until = new Date(app.now().getTime() + GRACE_SECONDS * 1000);
    const ended = [...new Map(batch.map((one) => [one.deviceId, one])).values()].sort((a, b) => a.deviceId - b.deviceId);
    const shortened = await sql<{ id: number; lease_until: Date }>`
    update device_presence p set lease_until = least(p.lease_until, ${until}::timestamptz)
    from unnest(${ended.map((one) => one.deviceId)}::bigint[], ${ended.map((one) => one.data.session ?? null)}::text[], ${ended.map((one) => one.receivedAt)}::timestamptz[]) as x(id, session, at)
    where p.device_id = x.id and p.online and p.connected_at <= x.at and (x.session is null or p.session is null or x.session = p.session)
    returning p.device_id as id, p.lease_until`.execute(db);
    for (const row of shortened.rows) wheel.set(row.id, row.lease_until);
  });
