import { appVersionCalls } from '@mooring/contract/app/calls';
import { sql } from 'kysely';
import { ofVersions } from '../../engines/rollout/places/place-rows.ts';
import type { Published } from '../../engines/rollout/places/publish-job.ts';
import type { Db } from '../../platform/context.ts';
import { makeDifferences } from './make-differences.ts';
import { tellSubscribers } from './tell-subscribers.ts';
import { approved, changed, nameIn, publishRows, shortName } from './version-rows.ts';

const find = (db: Db, id: number) =>
  db.selectFrom('app_version').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();

/** Versions of apps, as they come into the catalogue: what was delisted meanwhile doesn't. */
export const publishedVersions: Published = {
  ...ofVersions,
  rows: publishRows,
  async about(db, id) {
    const row = await find(db, id);
    if (row?.review_state !== approved) return undefined;
    // The history names who published it, not who asked around for them.
    const said = await sql<{ detail: unknown }>`
      select detail from state_change where life = ${publishRows.machine.name} and row_id = ${id} and event in ('publish', 'recheck') order by id desc limit 1`.execute(
      db,
    );
    return {
      name: `${nameIn(row)} ${shortName(row)}`,
      link: `/app/version/${id}?tab=places`,
      can: appVersionCalls.publish.can as string,
      groups: ['/softApp', '/appRelease'],
      detail: said.rows[0]?.detail ?? undefined,
    };
  },
  async out(ctx, db, id) {
    const row = await find(db, id);
    if (!row) return;
    const looks = { name: nameIn(row), icon_id: row.icon_id, updated_at: ctx.now() };
    await db.updateTable('app_app').set(looks).where('id', '=', row.app_id).execute();
    await makeDifferences(ctx, db, id);
    await tellSubscribers(ctx, db, id);
    await changed(ctx, db, row.dept_path);
  },
};
