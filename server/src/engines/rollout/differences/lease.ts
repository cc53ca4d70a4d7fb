import { sql } from 'kysely';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Db } from '../../../platform/context.ts';
import { move } from '../../../platform/db/move.ts';
import { type DifferenceRow, differenceRows, differencesOf } from './difference-queries.ts';
import type { DifferenceSource } from './source.ts';

const LEASE_MS = 30_000;
/** What ends a server that makes it isn't tried for ever. */
const MOST_TRIES = 3;
const ended = { lease: null, lease_until: null };

const until = (app: Pick<AppContext, 'now'>) => new Date(app.now().getTime() + LEASE_MS);

/** What waits, by organisation, and outside of one by what is next below the root: whose turn is longest ago comes first, and within it what was asked for first. */
const nextWaiting = sql`
  select w.id, w.org_id from (
    select u.id, coalesce((
      select o.id from org_dept o where o.dept_path = any(path_and_above(u.dept_path)) and o.kind <> 'platform'
      order by o.kind = 'organisation' desc, o.dept_path limit 1
    ), u.dept_id) as org_id
    from (select dept_id, dept_path, min(id) as id from rollout_difference where state in ('generating', 'made') group by 1, 2) u
  ) w left join rollout_difference_turn t on t.org_id = w.org_id`;

/** The next one that waits; none while another is being made anywhere in the installation. */
export const takeNext = (app: AppContext, lease: string): Promise<{ id: number; content: string } | undefined> =>
  app.unscoped(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('rollout_difference', 0))`.execute(db);
    const now = app.now();
    const taken = await sql<{ id: number; content: string; state: string; tries: number }>`
      with next as (
        ${nextWaiting} where not exists (select from rollout_difference where lease_until > ${now}) order by coalesce(t.turn, 0), w.id limit 1
      ), turned as (
        insert into rollout_difference_turn (org_id, turn) select org_id, nextval('rollout_difference_turns') from next
        on conflict (org_id) do update set turn = excluded.turn
      )
      update rollout_difference x set lease = ${lease}, lease_until = ${until(app)}, tries = tries + 1 from next
      where x.id = next.id returning x.id, x.content, x.state, x.tries`.execute(db);
    const [row] = taken.rows;
    if (!row || row.tries <= MOST_TRIES) return row;
    await move(db, differenceRows, row.state === 'made' ? 'refute' : 'fail', [row.id], { set: { reason: 'broken', ...ended } });
    return undefined;
  });

export const leasedRow = (app: AppContext, source: DifferenceSource, id: number): Promise<DifferenceRow | undefined> =>
  app.unscoped((db) => differencesOf(db, source).where('x.id', '=', id).executeTakeFirst());

/** Notes how far it is; false where it isn't wanted any more, or another server has taken it. */
export const stillWanted = (
  app: AppContext,
  source: DifferenceSource,
  row: DifferenceRow,
  lease: string,
  percent: number,
): Promise<boolean> =>
  app.unscoped(async (db) => {
    const kept = await sql<{ old: number }>`
      update rollout_difference x set lease_until = ${until(app)}, percent = ${percent} from rollout_difference o
      where x.id = ${row.id} and o.id = x.id and x.lease = ${lease} and x.state = ${row.state} returning o.percent as old`.execute(db);
    if (kept.rows[0] && kept.rows[0].old !== percent) await app.invalidate(db, source.group, row.dept_path);
    return kept.rows.length > 0;
  });

/** Ends a step, where it is still one's own to end. */
export async function endStep(
  app: AppContext,
  db: Db,
  source: DifferenceSource,
  { row, lease }: { row: DifferenceRow; lease: string },
  event: 'made' | 'fail' | 'verify' | 'refute',
  set: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const mine = await sql`select 1 from rollout_difference where id = ${row.id} and lease = ${lease} for update`.execute(db);
  if (mine.rows.length === 0) return false;
  const moved = await move(db, differenceRows, event, [row.id], { set: event === 'made' ? set : { ...set, ...ended } });
  await app.invalidate(db, source.group, row.dept_path);
  return moved.length > 0;
}

/** A server that stops lets another one go on at once; that it stopped is no failure of what it made. */
export const giveBack = (app: AppContext, id: number, lease: string): Promise<unknown> =>
  app.unscoped((db) =>
    sql`update rollout_difference set lease = null, lease_until = null, tries = tries - 1 where id = ${id} and lease = ${lease}`.execute(
      db,
    ),
  );
