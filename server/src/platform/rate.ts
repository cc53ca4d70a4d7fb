import { sql } from 'kysely';
import type { AppContext } from './app-context.ts';

/** So many at once, and so many more in each span of time. */
export interface Limit {
  readonly most: number;
  readonly perMs: number;
}
interface Ask {
  readonly cost: number;
  readonly answer: (waitSeconds: number) => void;
}
interface Asked {
  readonly key: string;
  readonly limit: Limit;
  readonly asks: Ask[];
}

const GATHER_MS = 5;

/**
 * Counts what keys do, for all processes together: a bucket that runs empty and fills again by itself. Questions of a moment are one
 * statement, so a storm of terminals costs little. A database that is away limits nobody; what comes then fails by itself.
 */
export function sharedRate(app: AppContext) {
  let waiting = new Map<string, Asked>();

  const flush = async (batch: ReadonlyMap<string, Asked>) => {
    const asked = [...batch.values()].map(({ key, limit, asks }) => ({
      key,
      n: asks.reduce((sum, one) => sum + one.cost, 0),
      burst: limit.most,
      each: limit.perMs / 1000 / limit.most,
    }));
    const found = await app.unscoped((db) =>
      sql<{ key: string; granted: number; wait: number }>`
        with a as materialized (
          select *, extract(epoch from clock_timestamp())::double precision as t
          from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a(key text, n integer, burst integer, each double precision)
        ), taken as (
          insert into http_rate as r (key, full_until, granted)
          select key, t + least(n, burst) * each, least(n, burst) from a order by key
          on conflict (key) do update set (granted, full_until) = (
            select g, greatest(r.full_until, a.t) + g * a.each
            from a, lateral (select greatest(0, least(a.n, floor((a.t + a.burst * a.each - greatest(r.full_until, a.t)) / a.each + 0.001)))::integer as g) room
            where a.key = r.key)
          returning key, granted, full_until
        )
        select a.key, granted, full_until + a.each * (1 - a.burst) - a.t as wait from taken join a using (key)`.execute(db),
    );
    const answers = new Map(found.rows.map((row) => [row.key, row]));
    for (const { key, asks } of batch.values()) {
      const { granted = 0, wait = 0 } = answers.get(key) ?? {};
      let left = granted;
      for (const { cost, answer } of asks) {
        const isGranted = cost === 0 ? wait <= 0.001 : left >= cost;
        if (isGranted) left -= cost;
        answer(isGranted ? 0 : Math.max(1, Math.ceil(wait)));
      }
    }
  };
  const gathered = () => {
    const batch = waiting;
    waiting = new Map();
    flush(batch).catch((error: unknown) => {
      app.log.debug({ error: String(error) }, 'nobody is limited while the database is away');
      for (const { asks } of batch.values()) for (const one of asks) one.answer(0);
    });
  };
  /** Seconds to wait; 0 where it may go on. `cost` 0 only looks. */
  return (key: string, limit: Limit, cost: 0 | 1 = 1): Promise<number> =>
    new Promise((resolve) => {
      if (waiting.size === 0) setTimeout(gathered, GATHER_MS);
      const held = waiting.get(key) ?? { key, limit, asks: [] };
      held.asks.push({ cost, answer: resolve });
      waiting.set(key, held);
    });
}
