import type { Ctx, Db } from '../../platform/context.ts';
import { type NotificationName, withdrawAfter, withdrawNotifications } from '../message/api.ts';
import type { OrderRow } from './order-row.ts';

export const orderLink = ({ id }: Pick<OrderRow, 'id'>): string => `/orderDetail/${id}`;

type Names = readonly NotificationName[];
const toAccept: Names = ['orderCreated', 'orderAcceptWaits'];
const toSend: Names = ['orderShipWaits'];
const onCosts: Names = ['orderCosts', 'orderCostsWaits'];
const onWarranty: Names = ['orderDenied', 'orderWarrantyWaits'];
const onBoth: Names = [...onCosts, ...onWarranty];
const toConfirm: Names = ['orderReturning', 'orderDeliveredWaits'];

/** What each step answers: whoever was asked for it needn't look any more. */
const answered: Readonly<Record<string, Names>> = {
  accept: toAccept,
  decline: [...toAccept, ...toSend],
  ship: toSend,
  receive: toSend,
  unreceive: ['orderReceived'],
  quote: onBoth,
  approveCosts: onBoth,
  // Whoever declines the costs has answered: it is the partner's turn.
  declineCosts: onBoth,
  acceptWarranty: onWarranty,
  disputeWarranty: onBoth,
  refuse: onBoth,
  delivered: toConfirm,
  closeReturn: toConfirm,
  cancel: [...toAccept, ...toSend, ...onBoth, ...toConfirm],
};

/** What was asked for by messages that nobody has read yet is answered. `db` is past the policy: they are the other side's. */
export async function withdrawAsked(ctx: Pick<Ctx, 'invalidate'>, db: Db, row: Pick<OrderRow, 'id'>, step: string): Promise<void> {
  const names = answered[step];
  if (names) await withdrawNotifications(db, orderLink(row), (path) => ctx.invalidate(db, '/message', path), { names });
}

/** Another partner is asked: whoever was before doesn't see the order any more. Their messages are no rows of this scope. */
export const withdrawFrom = (ctx: Pick<Ctx, 'readOnly'>, db: Db, row: OrderRow): Promise<void> =>
  withdrawAfter(ctx, db, orderLink(row), row.partner_path === row.dept_path ? { names: toAccept } : { deptPath: row.partner_path });
