import { sql } from 'kysely';
import type { Db } from '../context.ts';
import { cut } from '../cut.ts';

export interface Refusal {
  /** Whom it was tried as; empty where nobody was named. */
  readonly account: string;
  readonly actorId?: number | undefined;
  readonly ip: string;
  readonly call: string;
  readonly result: string;
  readonly platform?: string | undefined;
  /** Browser or program, as it names itself. */
  readonly device?: string | undefined;
}
export interface Refusals {
  /** Counts a failed sign-in, a refused code, a call without session or permission. Costs no query. */
  note(refusal: Refusal): void;
  flush(): Promise<void>;
}
interface Counted extends Refusal {
  n: number;
  device: string;
  readonly first: Date;
  last: Date;
}

/** So many different ones of a minute are told apart; those beyond are counted together. */
const MOST = 1000;
const FLUSH_MS = 1000;
const TEXT = 128;
export const OTHERS = '…';
const minuteOf = (at: Date) => new Date(Math.floor(at.getTime() / 60_000) * 60_000);

/** Gathered for a second, so that a flood of refusals is one statement. What a kill takes is that second. */
export function makeRefusals(parts: {
  now(): Date;
  unscoped<T>(work: (db: Db) => Promise<T>): Promise<T>;
  onLost(error: unknown): void;
}): Refusals {
  let counted = new Map<string, Counted>();
  let seen = new Set<string>();
  let minute = 0;
  let timer: NodeJS.Timeout | undefined;

  const writeCounted = async () => {
    const batch = [...counted.values()];
    counted = new Map();
    if (batch.length === 0) return;
    const rows = batch.map((one) => ({ ...one, minute: minuteOf(one.first), actorId: one.actorId ?? 0 }));
    const write = (some: typeof rows) => parts.unscoped((db) => add(db, JSON.stringify(some)));
    // One that the database doesn't take must not take the others of its second along.
    await write(rows).catch(async () => {
      for (const row of rows) await write([row]).catch(parts.onLost);
    });
  };
  let writing: Promise<void> = Promise.resolve();
  /** What is on its way already is awaited too: the process may end after it. */
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeCounted);
    return writing;
  };
  return {
    flush,
    note(refusal) {
      const at = parts.now();
      if (minuteOf(at).getTime() !== minute) [minute, seen] = [minuteOf(at).getTime(), new Set()];
      const device = cut(refusal.device ?? '', 2 * TEXT);
      const short = { ...refusal, device, account: cut(refusal.account.toLowerCase(), TEXT) };
      const keyOf = (of: Refusal) => JSON.stringify([minute, of.account, of.ip, of.call, of.result, of.actorId]);
      const isKnown = seen.has(keyOf(short)) || seen.size < MOST;
      const one = isKnown ? short : { account: OTHERS, ip: OTHERS, call: refusal.call, result: refusal.result, device: '' };
      const key = keyOf(one);
      if (isKnown) seen.add(key);
      const before = counted.get(key);
      if (before) Object.assign(before, { n: before.n + 1, last: at, device: one.device });
      else counted.set(key, { ...one, n: 1, first: at, last: at });
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
  };
}

const add = (db: Db, rows: string) =>
  sql`
    insert into audit_refusal as r (minute, account, ip, call, result, actor_id, platform, device, n, first_at, last_at)
    select minute, account, ip, call, result, "actorId", platform, device, n, first, last
    from jsonb_to_recordset(${rows}::jsonb) as x(minute timestamptz, account text, ip text, call text, result text, "actorId" bigint, platform text, device text, n integer, first timestamptz, last timestamptz)
    on conflict (minute, account, ip, call, result, actor_id) do update set n = r.n + excluded.n, device = excluded.device, last_at = greatest(r.last_at, excluded.last_at)`.execute(
    db,
  );

/** Request id of these rows, by which the log knows that they are counted. */
export const REFUSED = 'refused';

/** Full minutes become rows of the log, where the department of whom it was tried as finds them. Running twice finds none left. */
export async function writeRefusals(db: Db, now: Date): Promise<void> {
  await sql`
    with gone as (delete from audit_refusal where minute < ${minuteOf(now)} returning *)
    insert into audit_entry (at, request_id, actor_id, actor_name, dept_path, platform, ip, call, target, after, result)
    select g.last_at, ${REFUSED}, nullif(g.actor_id, 0), coalesce(a.name, ''), coalesce(a.dept_path, u.dept_path, '1.'), g.platform, g.ip, g.call, nullif(g.account, ''),
      jsonb_build_object('count', g.n, 'first', g.first_at, 'last', g.last_at, 'device', nullif(g.device, '')), g.result
    from gone g left join account_user a on a.id = g.actor_id
    left join lateral (select dept_path from account_user t where g.account <> '' and (lower(t.account) = g.account or lower(t.email) = g.account) limit 1) u on true
    order by g.last_at`.execute(db);
}
