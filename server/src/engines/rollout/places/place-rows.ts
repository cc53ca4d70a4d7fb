import type { PublishPlace } from '@mooring/contract/engines/rollout/publish-place';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../../platform/context.ts';

export interface PlaceRow {
  readonly id: number;
  readonly domain_id: number | null;
  readonly name: string;
  readonly url: string;
  /** Of the organisation of its domain; null of the own store, and of a domain that isn't seen. */
  readonly domain_path: string | null;
  /** Asked in this round of a publication, or in one to come. */
  readonly checking: boolean;
  readonly there: boolean | null;
  readonly attempts: number;
  readonly tried_at: Date | null;
  readonly problem: string | null;
  readonly detail: string;
}

/** What is asked for: packages of releases, and versions of apps. */
export interface PlacedIn {
  readonly table: 'rollout_package' | 'app_version';
  readonly column: 'package_id' | 'version_id';
}
export const ofPackages = { table: 'rollout_package', column: 'package_id' } as const satisfies PlacedIn;
export const ofVersions = { table: 'app_version', column: 'version_id' } as const satisfies PlacedIn;

/** The own store first, then the domains by their names. */
export const placesOf = (db: Db, { table, column }: PlacedIn, id: number): Promise<PlaceRow[]> =>
  db
    .selectFrom('rollout_place as p')
    .leftJoin('settings_download_domain as s', 's.id', 'p.domain_id')
    .select([
      'p.id',
      'p.domain_id',
      'p.name',
      'p.url',
      'p.there',
      'p.attempts',
      'p.tried_at',
      'p.problem',
      'p.detail',
      's.dept_path as domain_path',
    ])
    .select(
      sql<boolean>`exists (select from ${sql.table(table)} t where t.id = ${id} and t.publish_at is not null
        and (t.publish_round = 0 or p.attempts = 0 or p.there is not true))`.as('checking'),
    )
    .where(`p.${column}`, '=', id)
    .orderBy(sql`p.domain_id is not null`)
    .orderBy('p.name')
    .orderBy('p.id')
    .execute();

/** What an organisation above calls its domain, and what that answers, is its own. */
const isSeen = (row: PlaceRow, { scope }: Pick<Ctx, 'scope'>) => row.domain_id === null || row.domain_path?.startsWith(scope.path) === true;

export const placeShown = (row: PlaceRow, ctx: Pick<Ctx, 'scope'>): z.input<typeof PublishPlace> => ({
  name: isSeen(row, ctx) ? row.name : '',
  url: row.url,
  checking: row.checking,
  state: row.there === null ? 'waiting' : row.there ? 'there' : 'failed',
  attempts: row.attempts,
  triedAt: row.tried_at,
  problem: row.problem as z.input<typeof PublishPlace>['problem'],
  detail: isSeen(row, ctx) ? row.detail : '',
});

/** The places as they are configured now, each to be asked, and known of as before until it is, unless its address is another: the own store, and whatever domain terminals may be sent to for it. */
export async function beginPlaces(db: Db, { table, column }: PlacedIn, id: number): Promise<void> {
  const of = sql.ref(column);
  const wanted = sql`(
    select p.id as of_id, s.id as domain_id, s.name, s.url, p.sha256, p.dept_path
    from ${sql.table(table)} p join settings_download_domain s on s.enabled and s.checked
      and (starts_with(s.dept_path, p.dept_path) or starts_with(p.dept_path, s.dept_path)) where p.id = ${id}
    union all select id, null, '', '', sha256, dept_path from ${sql.table(table)} where id = ${id})`;
  await sql`
    delete from rollout_place p where p.${of} = ${id} and p.domain_id is not null
      and not exists (select from ${wanted} w where w.domain_id = p.domain_id)`.execute(db);
  await sql`
    insert into rollout_place as p (${of}, domain_id, name, url, sha256, dept_path) select * from ${wanted} w
    on conflict (package_id, version_id, domain_id) do update
      set name = excluded.name, url = excluded.url, attempts = 0, there = case when p.url = excluded.url then p.there end`.execute(db);
}

/** What is taken back is nowhere any more. */
export const forgetPlaces = (db: Db, { column }: PlacedIn, id: number) => db.deleteFrom('rollout_place').where(column, '=', id).execute();
