import { PICTURE } from '@mooring/contract/desktop/limits';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { Maintenance, maintenanceCalls } from '@mooring/contract/merchant/maintenance';
import { costOf, type Part } from '@mooring/contract/shared/money';
import type { Ctx, Db } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { resource } from '../../platform/resource/resource.ts';
import { namedFiles } from '../file/api.ts';

/** Exactly these pictures hang on the record; the database keeps them from then on. */
async function keepPhotos(db: Db, id: number, path: string, photos: readonly number[]): Promise<void> {
  await db.deleteFrom('merchant_photo').where('maintenance_id', '=', id).execute();
  const rows = [...new Set(photos)].map((file_id) => ({ maintenance_id: id, file_id, dept_path: path }));
  if (rows.length === 0) return;
  await unlessRefused(
    db,
    () => db.insertInto('merchant_photo').values(rows).execute(),
    ({ kind }) => (kind === 'referenced' ? fault('NOT_FOUND') : undefined),
  );
}

const checkPhotos = (ctx: Ctx, db: Db, photos: readonly number[]) =>
  namedFiles(ctx, photos, [PICTURE], (ids) => db.selectFrom('merchant_photo').select('file_id').where('file_id', 'in', ids).execute());

export const maintenances = resource(Maintenance, maintenanceCalls, {
  table: 'merchant_maintenance',
  target: (row) => `maintenance of ${row.sn}`,
  joined: (query) =>
    query
      .innerJoin('org_dept as o', 'o.id', 't.dept_id')
      .leftJoin('merchant_merchant as m', 'm.id', 't.merchant_id')
      .leftJoin('merchant_shop as s', 's.id', 't.shop_id')
      .select(['o.name as dept_name', 'm.name as merchant_name', 's.name as shop_name']),
  // A list of large numbers comes as texts.
  shown: (row) => ({ photos: row.photos.map(Number) }),
  cells: { parts: (parts) => partsText(parts) },
  refuses: { update: (row) => row.state === 'done' && 'MAINTENANCE_DONE' },
  columns: async (ctx, { deviceId, photos: named }, { before, db }) => {
    const photos = [...new Set(named)];
    await checkPhotos(ctx, db, photos);
    if (before) {
      await keepPhotos(db, before.id, before.dept_path, photos);
      return { photos };
    }
    const device = await db
      .selectFrom('device')
      .select(['sn', 'merchant_id', 'shop_id', 'dept_id', 'dept_path'])
      .where('id', '=', deviceId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!device) throw new Fault('NOT_FOUND', { code: 404, fields: { deviceId: 'fault.NOT_FOUND' } });
    return { ...device, photos, created_by: ctx.actor.userName };
  },
  added: async (ctx, id, { deviceId, photos }) => {
    const { dept_path } = await ctx.db.selectFrom('device').select('dept_path').where('id', '=', deviceId).executeTakeFirstOrThrow();
    await keepPhotos(ctx.db, id, dept_path, photos);
  },
});

const partsText = (parts: readonly Part[]): string =>
  [...parts.map(({ name, quantity, price }) => `${quantity} × ${name}${price ? ` ${price}` : ''}`), ...total(parts)].join('; ');
const total = (parts: readonly Part[]): string[] => (parts.some(({ price }) => price) ? [`= ${(costOf(parts) / 100).toFixed(2)}`] : []);
