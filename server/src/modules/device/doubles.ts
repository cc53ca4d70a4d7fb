import { type DeviceDetail, DOUBLES_SHOWN } from '@mooring/contract/device/schemas';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { nextCandidates } from '../../platform/db/candidates.ts';

/** Of each number: one more than is shown stands for all others. */
const MOST = DOUBLES_SHOWN + 1;

/** Others in the range that report a number which only one terminal should have: a copied image, a card that moved, a wrong register. */
export async function doublesOf(
  ctx: Ctx,
  { id, imei, iccid }: { readonly id: number; readonly imei: string | null; readonly iccid: string | null },
): Promise<DeviceDetail['doubles']> {
  if (!imei && !iccid) return [];
  const sameImei = sql<boolean>`coalesce(d.imei = ${imei || null}::text, false)`;
  const sameIccid = sql<boolean>`coalesce(upper(d.iccid) = upper(${iccid || null}::text), false)`;
  const others = sql<boolean>`d.id <> ${id} and d.deleted_at is null`;
  const first = (number: string | null, same: RawBuilder<boolean>) =>
    number ? nextCandidates(ctx, 'device', sql<boolean>`${same} and ${others}`, 0, MOST) : [];
  // Each by itself, and naming its column alone: it finds its index, and many that share one number hide none that share the other.
  const ids = [
    ...(await first(imei, sql<boolean>`d.imei = ${imei}::text`)),
    ...(await first(iccid, sql<boolean>`upper(d.iccid) = upper(${iccid}::text)`)),
  ];
  if (ids.length === 0) return [];
  const { rows } = await sql<DeviceDetail['doubles'][number]>`
    select d.id, d.sn, ${sameImei} as imei, ${sameIccid} as iccid from device d where d.id = any(${ids}::bigint[]) order by d.sn`.execute(
    ctx.db,
  );
  return rows;
}
