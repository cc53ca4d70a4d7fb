import { fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { checkDeveloper } from './check-developer.ts';
import { makeDifferences } from './make-differences.ts';
import { pauseReleases } from './pause-releases.ts';
import { changed, listedStates, nameIn, publishRows, type VersionRow } from './version-rows.ts';

const canDelist = ({ actor }: Pick<Ctx, 'actor'>): boolean => actor.permissions.has('app:app:delist');
/** A reviewer took it out of the catalogue: its developer doesn't put it back. */
export const isWithheld = (ctx: Pick<Ctx, 'actor'>, row: Pick<VersionRow, 'withheld'>): boolean => row.withheld && !canDelist(ctx);

/** In the store that there is at once: copies to further ones would keep it in `publishing` meanwhile. */
export async function publishNow(ctx: Ctx, db: Db, row: VersionRow): Promise<void> {
  await checkDeveloper(db, row.dept_id);
  await db.updateTable('app_version').set({ withheld: false }).where('id', '=', row.id).execute();
  const said = { actorId: ctx.actor.userId, detail: { by: ctx.actor.userName, text: '' } };
  const moved = await move(db, publishRows, 'publish', [row.id], said);
  if (moved.length === 0) throw fault('OVERTAKEN');
  await move(db, publishRows, 'done', [row.id], said);
  const looks = { name: nameIn(row), icon_id: row.icon_id, updated_at: ctx.now() };
  await db.updateTable('app_app').set(looks).where('id', '=', row.app_id).execute();
  await makeDifferences(ctx, db, row.id);
  await changed(ctx, db, row.dept_path);
}

export async function takeOut(ctx: Ctx, db: Db, row: VersionRow): Promise<void> {
  if (!listedStates.includes(row.publish_state)) return;
  await move(db, publishRows, 'unpublish', [row.id], { actorId: ctx.actor.userId, detail: { by: ctx.actor.userName, text: '' } });
  await db
    .updateTable('app_version')
    .set({ withheld: canDelist(ctx) })
    .where('id', '=', row.id)
    .execute();
  await pauseReleases(ctx, db, row.app_id);
}
