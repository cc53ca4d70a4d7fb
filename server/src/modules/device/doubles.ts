import { type DeviceDetail, DOUBLES_SHOWN } from '@mooring/contract/device/schemas';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { nextCandidates } from '../../platform/db/candidates.ts';

/** Of each number: one more than is shown stands for all others. */
const MOST = DOUBLES_SHOWN + 1;

/** What has no digit but zeros is no number, as `reported_number` in the database has it. */
const numberOf = (said: string | null) => (said && /[1-9]/.test(said) ? said : null);

/** Others in the range that report a number which only one terminal should have: a copied image, a card that moved, a wrong register. */
export async function doublesOf(
  ctx: Ctx,
  { id, imei, iccid }: { readonly id: number; readonly imei: string | null; readonly iccid: string | null },
): Promise<DeviceDetail['doubles']> {
  const [ownImei, ownIccid] = [numberOf(imei), numberOf(iccid)];
  if (!ownImei && !ownIccid) return [];
  const sameImei = sql<boolean>`coalesce(d.imei = ${ownImei}::text, false)`;
  const sameIccid = sql<boolean>`coalesce(upper(d.iccid) = upper(${ownIccid}::text), false)`;
  const others = sql<boolean>`d.id <> ${id} and d.deleted_at is null`;
  const first = (number: string | null, same: RawBuilder<boolean>) =>
    number ? nextCandidates(ctx, 'device', sql<boolean>`${same} and ${others}`, 0, MOST) : [];
  // Each by itself, and naming its column alone: it finds its index, and many that share one number hide none that share the other.
  const ids = [
    ...(await first(ownImei, sql<boolean>`d.imei = ${ownImei}::text`)),
    ...(await first(ownIccid, sql<boolean>`upper(d.iccid) = upper(${ownIccid}::text)`)),
  ];
  if (ids.length === 0) return [];
  const { rows } = await sql<DeviceDetail['doubles'][number]>`
    select d.id, d.sn, ${sameImei} as imei, ${sameIccid} as iccid from device d where d.id = any(${ids}::bigint[]) order by d.sn`.execute(
    ctx.db,
  );
  return rows;
}
