import { fault } from '@mooring/contract/kit/fault';
import { forgetPlaces, ofVersions } from '../../engines/rollout/places/place-rows.ts';
import { firstRound, PUBLISH } from '../../engines/rollout/places/publish-job.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { checkDeveloper } from './check-developer.ts';
import { pauseReleases } from './pause-releases.ts';
import { changed, listedStates, publishRows, unpublished, type VersionRow } from './version-rows.ts';

const canDelist = ({ actor }: Pick<Ctx, 'actor'>): boolean => actor.permissions.has('app:app:delist');
/** A reviewer took it out of the catalogue: its developer doesn't put it back. */
export const isWithheld = (ctx: Pick<Ctx, 'actor'>, row: Pick<VersionRow, 'withheld'>): boolean => row.withheld && !canDelist(ctx);

/** Has each place asked for its package; it is in the catalogue once that is over. */
export async function publishNow(ctx: Ctx, db: Db, row: VersionRow): Promise<void> {
  await checkDeveloper(db, row.dept_id);
  await db.updateTable('app_version').set({ withheld: false }).where('id', '=', row.id).execute();
  const said = { actorId: ctx.actor.userId, detail: { by: ctx.actor.userName, text: '' } };
  const moved = await move(db, publishRows, 'publish', [row.id], { ...said, set: firstRound(ctx) });
  if (moved.length === 0) throw fault('OVERTAKEN');
  await ctx.enqueue(db, PUBLISH, { of: ofVersions.table, id: row.id });
  await changed(ctx, db, row.dept_path);
}

export async function takeOut(ctx: Ctx, db: Db, row: VersionRow): Promise<void> {
  if (row.publish_state === unpublished) return;
  // One that is on its way into the catalogue never comes there.
  await move(db, publishRows, listedStates.includes(row.publish_state) ? 'unpublish' : 'failed', [row.id], {
    actorId: ctx.actor.userId,
    detail: { by: ctx.actor.userName, text: '' },
  });
  await db
    .updateTable('app_version')
    .set({ withheld: canDelist(ctx) })
    .where('id', '=', row.id)
    .execute();
  await forgetPlaces(db, ofVersions, row.id);
  await pauseReleases(ctx, db, row.app_id);
}
