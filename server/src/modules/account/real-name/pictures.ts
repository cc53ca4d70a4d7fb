import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../../platform/app-context.ts';
import { concurrencyLimit } from '../../../platform/concurrency-limit.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { lockSet } from '../../../platform/db/lock-set.ts';
import type { BlobStore } from '../../../platform/files/blob-store.ts';
import { refusedAt } from '../../../platform/files/pictures.ts';
import { DROP_BLOB, dropUnnamed, redraw, spaceFault } from '../../file/api.ts';

const SEALED = 'real-name-picture';
/** Chosen, and not handed in yet. */
const UNUSED_MOST = 20;

/** Of one person: both sides of a document. */
const fewAtOnce = concurrencyLimit(2);

/** Drawn anew, sealed and stored: without the master key the store holds nothing that can be looked at. */
export async function addPicture(app: AppContext, store: BlobStore, ctx: Ctx, image: string): Promise<{ id: number }> {
  const { userId } = ctx.actor;
  const refuseMany = async (db: Db) => {
    const { count } = await db
      .selectFrom('account_real_name_picture')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('request_id', 'is', null)
      .executeTakeFirstOrThrow();
    if (Number(count) >= UNUSED_MOST) throw fault('TOO_MANY', { seconds: 3600 });
  };
  await ctx.unscoped(refuseMany);
  const drawn = await fewAtOnce(userId, () => redraw(Buffer.from(image, 'base64'))).catch(refusedAt('image'));
  let sha256: string | undefined;
  try {
    ({ sha256 } = await store.put(Readable.from([app.masterKey.seal(SEALED, drawn)])));
    const row = { user_id: userId, sha256 };
    return await ctx.unscoped(async (db) => {
      await lockSet(db, `pictures:${userId}`);
      await refuseMany(db);
      return db.insertInto('account_real_name_picture').values(row).returning('id').executeTakeFirstOrThrow();
    });
  } catch (error) {
    if (sha256 !== undefined) await dropUnnamed(ctx, sha256);
    throw spaceFault(error);
  }
}

const typeOf = (head: Buffer) =>
  head.subarray(0, 4).toString('hex') === '89504e47' ? 'png' : head.subarray(0, 2).toString('hex') === 'ffd8' ? 'jpeg' : 'webp';

/** A picture as a data address: it is in this answer, and at no address that could be passed on. */
export async function openPicture(app: AppContext, store: BlobStore, sha256: string): Promise<{ image: string }> {
  const bytes = app.masterKey.open(SEALED, await buffer(await store.read(sha256)));
  return { image: `data:image/${typeOf(bytes)};base64,${bytes.toString('base64')}` };
}

export async function ownPicture(app: AppContext, store: BlobStore, ctx: Ctx, id: number): Promise<{ image: string }> {
  const row = await ctx.unscoped((db) =>
    db
      .selectFrom('account_real_name_picture')
      .select('sha256')
      .where('id', '=', id)
      .where('user_id', '=', ctx.actor.userId)
      .executeTakeFirst(),
  );
  if (!row) throw fault('NOT_FOUND');
  return openPicture(app, store, row.sha256);
}

/** Own pictures that nothing was handed in with yet; each goes with one request. */
export async function usePictures(db: Db, userId: number, requestId: number, chosen: Readonly<Record<string, number>>): Promise<void> {
  for (const [which, id] of Object.entries(chosen)) {
    const taken = await db
      .updateTable('account_real_name_picture')
      .set({ request_id: requestId, which })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('request_id', 'is', null)
      .returning('id')
      .execute();
    if (taken.length === 0) throw new Fault('PICTURE_UNKNOWN', { fields: { [which]: 'fault.PICTURE_UNKNOWN' } });
  }
}

/** The rows go now, the bytes after the commit. */
export async function dropPictures(
  db: Db,
  app: Pick<AppContext, 'enqueue'>,
  which: { requests: readonly number[] } | { unusedBefore: Date },
): Promise<number> {
  let query = db.deleteFrom('account_real_name_picture');
  if ('requests' in which) query = query.where('request_id', 'in', which.requests.length > 0 ? [...which.requests] : [0]);
  else query = query.where('request_id', 'is', null).where('created_at', '<', which.unusedBefore);
  const gone = await query.returning('sha256').execute();
  for (const { sha256 } of gone) await app.enqueue(db, DROP_BLOB, { sha256 });
  return gone.length;
}
