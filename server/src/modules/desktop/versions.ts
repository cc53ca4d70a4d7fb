import type { ContentVersion } from '@mooring/contract/desktop/content-calls';
import { taskPermission } from '@mooring/contract/engines/rollout/task-kind';
import { isAllowed } from '@mooring/contract/kit/permission';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import type { Part } from './parts.ts';
import { contentRow } from './publish-content.ts';

/** So many of a line are shown, and so many releases of each: the newest. */
const VERSIONS = 100;
const RELEASES = 5;

interface Using {
  readonly id: number;
  readonly name: string;
  readonly content_id: number;
  readonly count: number;
}
/** The newest releases that use these rows; undefined where the actor may see none of this kind. */
async function releasesOf(ctx: Ctx, of: Part, ids: readonly number[]): Promise<readonly Using[] | undefined> {
  if (!isAllowed(ctx.actor.permissions, taskPermission(of.of, 'page'))) return undefined;
  const content = sql.ref(`${of.part}_id`);
  const found = await sql<Using>`
    select id, name, content_id, count from (
      select id, name, ${content} as content_id, count(*) over (partition by ${content})::int as count,
        row_number() over (partition by ${content} order by id desc) as at
      from rollout_task where ${content} = any(${ids}::bigint[])
    ) as used where at <= ${RELEASES} order by id desc`.execute(ctx.db);
  return found.rows;
}

/** What follows what, by whom and when, and what was released of it. */
export async function versionsOf(ctx: Ctx, of: Part, { id }: { id: number }): Promise<ContentVersion[]> {
  const { line_id } = await contentRow(ctx.db, of, id);
  const rows = await ctx.db
    .selectFrom(of.table)
    .select(['id', 'name', 'number', 'state', 'version', 'created_by', 'created_at', 'published_by', 'published_at'])
    .where('line_id', '=', line_id)
    .orderBy('number', (by) => by.desc().nullsFirst())
    .limit(VERSIONS)
    .execute();
  const releases = await releasesOf(
    ctx,
    of,
    rows.map((row) => row.id),
  );
  return rows.map((row) => {
    const own = releases?.filter((one) => one.content_id === row.id);
    return {
      id: row.id,
      name: row.name,
      number: row.number,
      state: row.state,
      version: row.version,
      createdBy: row.created_by,
      createdAt: row.created_at.toISOString(),
      publishedBy: row.published_by,
      publishedAt: row.published_at?.toISOString() ?? null,
      releaseCount: own === undefined ? null : (own[0]?.count ?? 0),
      releases: (own ?? []).map(({ id: task, name }) => ({ id: task, name })),
    };
  });
}
