import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';

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
const NOTHING = '1:1:';
/** At most one touch per group and tab in this time (design 1, section 5). */
const QUIET_MS = 2000;
/** What is remembered for a tab that joins. */
const MOST_AGE_MS = 600_000;
/** A touch bears the time when its transaction began. */
const LATE_MS = 10_000;
const isSeenBy = (path: string, dept: string): boolean => dept.startsWith(path) || path.startsWith(dept);

/** Its times are a stopwatch's: a clock that is set back would silence a group until the old time comes again. */
interface Tab {
  /** When a group may be told again. */
  readonly due: Map<string, number>;
  readonly pending: Set<string>;
  /** From when on it has missed something; undefined once it was told. */
  since: number | undefined;
}
interface Invalidation {
  readonly call_group: string;
  readonly dept_path: string;
}

/**
 * Reads touched groups once a second, for all tabs of this process at once: what is seen in this snapshot and wasn't in the last. By
 * the horizon of all that runs one long transaction would keep everybody from hearing, and by `id > last`
 * a row that commits late would be missed. Who has just joined is told what it missed after the snapshot was taken, so nothing
 * falls between the two.
 */
export function startLiveHub(app: AppContext): LiveHub {
  const tabs = new Map<Listener, Tab>();
  let last: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> = Promise.resolve();
  let stopped = false;

  const poll = () =>
    app.readOnly(async (db) => {
      const at = performance.now();
      // Who joins while this reads is told by the next poll.
      const there = [...tabs];
      const joined = there.flatMap(([, tab]) => tab.since ?? []);
      const now = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(db);
      const until = now.rows[0]?.snapshot ?? NOTHING;
      const since = last ?? until;
      const fresh = await sql<Invalidation>`
        select distinct call_group, dept_path from live_touch
        where xid >= pg_snapshot_xmin(${since}::pg_snapshot) and pg_visible_in_snapshot(xid, ${until}::pg_snapshot)
          and not pg_visible_in_snapshot(xid, ${since}::pg_snapshot)`.execute(db);
      const seconds = (Math.min(at - Math.min(at, ...joined), MOST_AGE_MS) + LATE_MS) / 1000;
      const missed = await sql<Invalidation>`
        select distinct call_group, dept_path from live_touch
        where ${joined.length > 0} and at > now() - make_interval(secs => ${seconds})`.execute(db);
      last = until;
      for (const [listener, tab] of there)
        if (tabs.has(listener)) tell(listener, tab, tab.since === undefined ? fresh.rows : missed.rows, at);
    });
  const tell = (listener: Listener, tab: Tab, invalidated: readonly Invalidation[], at: number) => {
    tab.since = undefined;
    for (const { call_group, dept_path } of invalidated) if (isSeenBy(listener.path, dept_path)) tab.pending.add(call_group);
    const ready = [...tab.pending].filter((group) => (tab.due.get(group) ?? 0) <= at);
    if (ready.length === 0) return;
    for (const group of ready) {
      tab.pending.delete(group);
      tab.due.set(group, at + QUIET_MS);
    }
    listener.send(ready);
  };
  const tick = () => {
    if (stopped) return;
    polling = (
      tabs.size > 0
        ? poll()
        : Promise.resolve().then(() => {
            last = undefined;
          })
    )
      .catch((error: unknown) => app.log.warn({ error: String(error) }, 'live touches not read; trying again'))
      .then(() => {
        if (!stopped) timer = setTimeout(tick, POLL_MS);
      });
  };
  tick();
  return {
    size: () => tabs.size,
    listen(listener, ageMs) {
      tabs.set(listener, { due: new Map(), pending: new Set(), since: performance.now() - ageMs });
      return () => void tabs.delete(listener);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await polling;
    },
  };
}
