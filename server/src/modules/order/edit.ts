import type { Order } from '@mooring/contract/order/calls';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { noteEntry } from './act.ts';
import { withdrawFrom } from './asked.ts';
import { checkDue, isOtherDue } from './due.ts';
import { dayOf, type OrderRow } from './order-row.ts';
import { type Partner, partnerOf } from './partners.ts';
import { tellEdited, tellPartner, tellWithdrawn } from './tell.ts';

type Edited = Omit<z.output<typeof Order.add>, 'deviceId'>;

const stood = (row: OrderRow): Edited => ({
  partnerId: row.partner_id,
  contactName: row.contact_name,
  phone: row.phone,
  address: row.address,
  fault: row.fault,
  description: row.description,
  photos: row.photos.map(Number),
  dueOn: dayOf(row.due_on),
  outCarrier: row.out_carrier,
  outNumber: row.out_number,
});

/** A new order is changed as a whole: its history says what, and the partner hears of it. Answers the columns of another partner. */
export async function editOrder(ctx: Ctx, db: Db, row: OrderRow, input: Edited): Promise<Partial<Partner>> {
  if (isOtherDue(row, input.dueOn)) checkDue(ctx, input.dueOn);
  const before = stood(row);
  const changed = (Object.keys(before) as (keyof Edited)[]).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(input[name]));
  if (changed.length === 0) return {};
  await noteEntry(ctx, db, row, 'customer', { event: 'update', text: changed.join(',') });
  if (row.partner_id !== input.partnerId) return toPartner(ctx, db, row, input.partnerId);
  await tellEdited(ctx, db, row);
  await ctx.invalidate(db, '/order', row.partner_path);
  return {};
}

/** Another one is asked instead: it hears of the order as of a new one, and whoever was asked before that nothing is to be done. */
async function toPartner(ctx: Ctx, db: Db, row: OrderRow, id: number): Promise<Partner> {
  const partner = await partnerOf(ctx, id, row.dept_path);
  await tellWithdrawn(ctx, db, row);
  await tellPartner(ctx, db, { ...row, ...partner });
  for (const path of [row.partner_path, partner.partner_path]) await ctx.invalidate(db, '/order', path);
  await withdrawFrom(ctx, db, row);
  return partner;
}
