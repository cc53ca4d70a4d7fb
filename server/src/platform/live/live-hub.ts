import { sql } from 'kysely';
import type { House } from '../house.ts';

/** One open tab: what it may see, and how to tell it. */
export interface Listener {
  readonly path: string;
  send(groups: readonly string[]): void;
}
export interface LiveHub {
  /** `ageMs`: how long ago the tab began to ask; what was touched since then is told at once. */
  listen(listener: Listener, ageMs: number): () => void;
  stop(): Promise<void>;
  readonly size: () => number;
}

const POLL_MS = 1000;
/** At most one touch per group and tab in this time (design 1, section 5). */
const QUIET_MS = 2000;
/** What is remembered for a tab that joins. */
const MOST_AGE_MS = 600_000;
const isSeenBy = (path: string, dept: string): boolean => dept.startsWith(path) || path.startsWith(dept);

/**
 * Reads touched groups once a second, for all tabs of this process at once. It goes by the snapshot's horizon: by `id > last`
 * a row that commits late would be missed.
 */
export function startLiveHub(house: House): LiveHub {
  const listeners = new Map<Listener, { due: Map<string, number>; pending: Set<string> }>();
  let horizon: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> = Promise.resolve();
  let stopped = false;

  const poll = async () => {
    const touched = await house.unscoped(async (db) => {
      const now = await sql<{ xmin: string }>`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`.execute(db);
      const until = now.rows[0]?.xmin ?? '0';
      const from = horizon ?? until;
      horizon = until;
      const rows = await sql<{ call_group: string; dept_path: string }>`
        select distinct call_group, dept_path from live_touch where xid >= ${from}::xid8 and xid < ${until}::xid8 and at > now() - interval '10 minutes'`.execute(
        db,
      );
      return rows.rows;
    });
    const at = Date.now();
    for (const [listener, state] of listeners) {
      for (const { call_group, dept_path } of touched) {
        if (isSeenBy(listener.path, dept_path)) state.pending.add(call_group);
      }
      const ready = [...state.pending].filter((group) => (state.due.get(group) ?? 0) <= at);
      if (ready.length === 0) continue;
      for (const group of ready) {
        state.pending.delete(group);
        state.due.set(group, at + QUIET_MS);
      }
      listener.send(ready);
    }
  };
  /** What a tab missed between its first question and its joining. */
  const catchUp = async (listener: Listener, ageMs: number) => {
    const seconds = (Math.min(ageMs, MOST_AGE_MS) + 2 * POLL_MS) / 1000;
    const { rows } = await house.unscoped((db) =>
      sql<{ call_group: string; dept_path: string }>`
        select distinct call_group, dept_path from live_touch where at > now() - make_interval(secs => ${seconds})`.execute(db),
    );
    const groups = new Set(rows.filter((row) => isSeenBy(listener.path, row.dept_path)).map((row) => row.call_group));
    if (groups.size > 0 && listeners.has(listener)) listener.send([...groups]);
  };
  const tick = () => {
    if (stopped) return;
    polling = (
      listeners.size > 0
        ? poll()
        : Promise.resolve().then(() => {
            horizon = undefined;
          })
    )
      .catch((error: unknown) => house.log.warn({ error: String(error) }, 'live touches not read; trying again'))
      .then(() => {
        if (!stopped) timer = setTimeout(tick, POLL_MS);
      });
  };
  tick();
  return {
    size: () => listeners.size,
    listen(listener, ageMs) {
      listeners.set(listener, { due: new Map(), pending: new Set() });
      catchUp(listener, ageMs).catch((error: unknown) => house.log.warn({ error: String(error) }, 'a tab was not told what it missed'));
      return () => void listeners.delete(listener);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await polling;
    },
  };
}
