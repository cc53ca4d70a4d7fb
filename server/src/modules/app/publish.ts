import { forgetPlaces, ofVersions } from '../../engines/rollout/places/place-rows.ts';
import { noRound, startPublishing } from '../../engines/rollout/places/publish-job.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { checkDeveloper } from './check-developer.ts';
import { pauseReleases } from './pause-releases.ts';
import { changed, publishRows, unpublished, type VersionRow } from './version-rows.ts';

const canDelist = ({ actor }: Pick<Ctx, 'actor'>): boolean => actor.permissions.has('app:app:delist');
/** A reviewer took it out of the catalogue: its developer doesn't put it back. */
export const isWithheld = (ctx: Pick<Ctx, 'actor'>, row: Pick<VersionRow, 'withheld'>): boolean => row.withheld && !canDelist(ctx);

/** Has each place asked for its package; it is in the catalogue once that is over. */
export async function publishNow(ctx: Ctx, db: Db, row: VersionRow): Promise<void> {
  await checkDeveloper(db, row.dept_id);
  await db.updateTable('app_version').set({ withheld: false }).where('id', '=', row.id).execute();
  await startPublishing(ctx, db, { ...ofVersions, rows: publishRows }, row, { detail: { by: ctx.actor.userName, text: '' } });
  await changed(ctx, db, row.dept_path);
}

export async function takeOut(ctx: Ctx, db: Db, row: VersionRow): Promise<void> {
  if (row.publish_state === unpublished) return;
  // One that is on its way into the catalogue never comes there.
  await move(db, publishRows, 'unpublish', [row.id], {
    actorId: ctx.actor.userId,
    detail: { by: ctx.actor.userName, text: '' },
    set: noRound,
  });
  await db
    .updateTable('app_version')
    .set({ withheld: canDelist(ctx) })
    .where('id', '=', row.id)
    .execute();
  await forgetPlaces(db, ofVersions, row.id);
  await pauseReleases(ctx, db, row.app_id);
}
