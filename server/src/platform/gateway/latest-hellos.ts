import { sql } from 'kysely';
import type { Db } from '../context.ts';
import type { UpMessage } from './message.ts';

type Hello = UpMessage<'hello'>;

/** By what the terminals say of their order; those that say nothing, by when they came. */
const byAge = (a: Hello, b: Hello) =>
  a.data.order !== undefined && b.data.order !== undefined ? a.data.order - b.data.order : a.receivedAt.getTime() - b.receivedAt.getTime();
/** The newest hello of each device, in one order, so that batches don't lock crosswise. */
const newest = (batch: readonly Hello[]): Hello[] =>
  [...new Map(batch.toSorted(byAge).map((one) => [one.deviceId, one])).values()].sort((a, b) => a.deviceId - b.deviceId);

/**
 * A word that is older than the one that is known says nothing any more: another server may have taken the later one first, and a broker
 * that was killed brings some again. The terminal's own order decides; without it, when it was received.
 */
async function stillNew(db: Db, hellos: readonly Hello[]): Promise<Hello[]> {
  const overtaken = await sql<{ id: number }>`
    select p.device_id as id from unnest(${hellos.map((one) => one.deviceId)}::bigint[], ${hellos.map((one) => one.receivedAt)}::timestamptz[],
      ${hellos.map((one) => one.data.order ?? null)}::bigint[]) as x(id, at, hello_order)
    join device_presence p on p.device_id = x.id where coalesce(p.hello_order > x.hello_order, p.connected_at > x.at)`.execute(db);
  const old = new Set(overtaken.rows.map((row) => row.id));
  return hellos.filter((one) => !old.has(one.deviceId));
}

/** The newest hello of each device that isn't older than the one that is known; the others say nothing any more. */
export const latestHellos = (db: Db, batch: readonly Hello[]): Promise<Hello[]> => stillNew(db, newest(batch));
