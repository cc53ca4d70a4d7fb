import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import { cut } from '../cut.ts';
import type { Refused } from './message.ts';

const KEPT_PER_FLUSH = 100;
const KEPT_BYTES = 4096;
/** Whoever is turned away at the door may be anybody, and come again: so many are told of, the others are counted. */
const GUARDED_PER_MINUTE = 60;
const MINUTE_MS = 60_000;

/** Keeps what couldn't be taken, bounded, and counts all of it. */
export function keepRefusals(app: AppContext, everyMs = 1000) {
  const pending: Refused[] = [];
  const counts = new Map<string, number>();
  let told = 0;
  let untold = 0;
  let minuteAt = performance.now();
  const nextMinute = () => {
    if (performance.now() - minuteAt < MINUTE_MS) return;
    if (untold > 0) app.log.warn({ more: untold }, 'more terminals refused');
    [told, untold, minuteAt] = [0, 0, performance.now()];
  };
  const count = (what: string): void => {
    const reason = what.split(/[: ]/)[0] ?? what;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  };
  const add = (refused: Refused): void => {
    count(refused.reason);
    app.log.debug({ sn: refused.sn, kind: refused.kind, reason: refused.reason }, 'refused');
    if (pending.length < KEPT_PER_FLUSH && !refused.countedAlone) pending.push(refused);
  };
  const flush = async () => {
    nextMinute();
    const rows = pending.splice(0);
    if (rows.length === 0) return;
    const values = rows.map((one) => ({
      sn: cut(one.sn, 64),
      kind: cut(one.kind, 64),
      reason: cut(one.reason, 300),
      bytes: one.payload.length,
      payload: one.payload.subarray(0, KEPT_BYTES).toString().replaceAll('\0', '�'),
    }));
    await app
      .unscoped((db) =>
        sql`
      insert into gateway_refused (sn, kind, reason, bytes, payload)
      select sn, kind, reason, bytes, payload from jsonb_to_recordset(${JSON.stringify(values).replaceAll('\\u0000', '')}::jsonb) as r(sn text, kind text, reason text, bytes int, payload text)`.execute(
          db,
        ),
      )
      .catch((error: unknown) => app.log.warn({ error: String(error) }, 'refused messages not kept'));
  };
  const timer = setInterval(() => void flush(), everyMs);
  return {
    add,
    /** Turned away before it was a message, perhaps by nobody that we know. */
    guarded(sn: string, what: string): void {
      nextMinute();
      if (told >= GUARDED_PER_MINUTE) {
        untold += 1;
        count(what);
        return;
      }
      told += 1;
      app.log.warn({ sn, what }, 'terminal refused');
      add({ sn, kind: 'guard', reason: what, payload: Buffer.alloc(0) });
    },
    counts: (): ReadonlyMap<string, number> => counts,
    flush,
    async stop(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
