import { sql } from 'kysely';
import type { House } from '../house.ts';
import type { Refused } from './message.ts';

const KEPT_PER_FLUSH = 100;
const KEPT_BYTES = 4096;

/** Keeps what couldn't be taken, bounded, and counts all of it. */
export function keepRefusals(house: House, everyMs = 1000) {
  const pending: Refused[] = [];
  const counts = new Map<string, number>();
  const flush = async () => {
    const rows = pending.splice(0);
    if (rows.length === 0) return;
    const values = rows.map((one) => ({
      sn: one.sn.slice(0, 64),
      kind: one.kind.slice(0, 64),
      reason: one.reason.slice(0, 300),
      bytes: one.payload.length,
      payload: one.payload.subarray(0, KEPT_BYTES).toString().replaceAll('\0', '�'),
    }));
    await house
      .unscoped((db) =>
        sql`
      insert into gateway_refused (sn, kind, reason, bytes, payload)
      select sn, kind, reason, bytes, payload from jsonb_to_recordset(${JSON.stringify(values).replaceAll('\\u0000', '')}::jsonb) as r(sn text, kind text, reason text, bytes int, payload text)`.execute(
          db,
        ),
      )
      .catch((error: unknown) => house.log.warn({ error: String(error) }, 'refused messages not kept'));
  };
  const timer = setInterval(() => void flush(), everyMs);
  return {
    add(refused: Refused): void {
      const reason = refused.reason.split(/[: ]/)[0] ?? refused.reason;
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
      house.log.debug({ sn: refused.sn, kind: refused.kind, reason: refused.reason }, 'refused');
      if (pending.length < KEPT_PER_FLUSH) pending.push(refused);
    },
    counts: (): ReadonlyMap<string, number> => counts,
    flush,
    async stop(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
