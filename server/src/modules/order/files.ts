import { PICTURE } from '@mooring/contract/desktop/limits';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { orderCalls } from '@mooring/contract/order/calls';
import { MOST_PHOTOS } from '@mooring/contract/shared/money';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import type { Handler } from '../../platform/module.ts';
import { namedFiles } from '../file/api.ts';
import { actOn, noteEntry, type Orders } from './act.ts';
import { mayQuote } from './sides.ts';

interface Hanging {
  readonly id: number;
  readonly dept_path: string;
}

/** These files may hang on an order: one's own uploads, or those of orders that one sees. */
export const checkFiles = (ctx: Ctx, db: Db, files: readonly number[], kind: string) =>
  namedFiles(ctx, files, [kind], (ids) => db.selectFrom('order_file').select('file_id').where('file_id', 'in', ids).execute());

/** They stay as long as the order does. */
export async function keepFiles(db: Db, { id, dept_path }: Hanging, files: readonly number[], entry: number | null = null): Promise<void> {
  const rows = [...new Set(files)].map((file_id) => ({ order_id: id, entry_id: entry, file_id, dept_path }));
  if (rows.length === 0) return;
  await unlessRefused(
    db,
    () =>
      db
        .insertInto('order_file')
        .values(rows)
        .onConflict((of) => of.doNothing())
        .execute(),
    ({ kind }) => (kind === 'referenced' ? fault('NOT_FOUND') : undefined),
  );
}

/** Exactly these pictures of the fault. */
export async function keepPhotos(db: Db, of: Hanging, photos: readonly number[]): Promise<void> {
  await sql`delete from order_file where order_id = ${of.id} and entry_id is null and file_id <> all(${[...photos]}::bigint[])`.execute(db);
  await keepFiles(db, of, photos);
}

/** While the terminal is with the partner, who shows what was found and done. */
export const addPhotos =
  (orders: () => Orders): Handler<typeof orderCalls.addPhotos> =>
  async (ctx, { id, photos }) => {
    await ctx.inTx((db) => checkFiles(ctx, db, photos, PICTURE));
    await actOn(ctx, { id }, 'service', async (db, row) => {
      if (!mayQuote(row.state)) throw fault('OVERTAKEN');
      const all = [...new Set([...row.photos.map(Number), ...photos])];
      const params = { most: MOST_PHOTOS };
      if (all.length > MOST_PHOTOS) throw new Fault('ORDER_PHOTOS', { fields: { photos: { key: 'fault.ORDER_PHOTOS', params } }, params });
      await db.updateTable('order_order').set({ photos: all }).where('id', '=', id).execute();
      await keepFiles(db, row, photos);
      await noteEntry(ctx, db, row, 'service', { event: 'photos' });
    });
    return ctx.inTx((db) => orders().read(ctx, id, db));
  };
