import { isAllowed } from '@mooring/contract/kit/permission';
import type { orderSides } from '@mooring/contract/order/calls';
import { overStates } from '@mooring/contract/order/state-machines';
import { type RawBuilder, sql } from 'kysely';
import type { Actor } from '../../platform/context.ts';

export type Side = (typeof orderSides)[number];
interface Shared {
  readonly dept_path: string;
  readonly partner_path: string;
}

/**
 * For which sides somebody acts who acts for a path. Of two organisations of which one is above the other, whoever acts for the upper one
 * acts for that one alone: nobody approves their own costs because the customer stands below them. Above both, for both.
 */
export function sidesOf(scope: string, { dept_path: owner, partner_path: partner }: Shared): Side[] {
  const sides: Side[] = [];
  if (owner.startsWith(scope) && (owner === partner || partner !== scope)) sides.push('customer');
  if (partner.startsWith(scope) && (owner === partner || owner !== scope)) sides.push('service');
  return sides;
}

/** The same for rows of `order_order`. */
export const isSide = (side: Side, scope: string, table = 'order_order'): RawBuilder<boolean> => {
  const [owner, partner] = ['dept_path', 'partner_path'].map((column) => sql.ref(`${table}.${column}`));
  const [own, other] = side === 'customer' ? [owner, partner] : [partner, owner];
  return sql<boolean>`(${own} >= ${scope} and ${own} < ${`${scope}~`} and (${own} = ${other} or ${other} <> ${scope}))`;
};

export const otherSide = (side: Side): Side => (side === 'customer' ? 'service' : 'customer');
export const pathOf = (side: Side, row: Shared): string => (side === 'customer' ? row.dept_path : row.partner_path);

/** Whose organisation is shut, or stands below one that is. */
export interface Shut {
  readonly customer_shut: boolean;
  readonly partner_shut: boolean;
}
export const isOver = ({ state }: { readonly state: string }): boolean => overStates.some((over) => over === state);
/** Nobody waits for ever for a side that is no more. */
export const mayCancel = (side: Side, { state, customer_shut, partner_shut }: { readonly state: string } & Partial<Shut>): boolean => {
  if (isOver({ state })) return false;
  return side === 'customer' ? partner_shut === true || state === 'created' || state === 'accepted' : customer_shut === true;
};

/** Costs that are found during the repair are entered as the first ones are. */
export const mayQuote = (state: string): boolean => state === 'received' || state === 'repairing';

/** A new order is edited as a whole; afterwards who is asked and where it goes back to change by themselves. */
export const mayReach = (row: { readonly state: string }): boolean => row.state !== 'created' && !isOver(row);

/** What somebody must be allowed who ships for a side. */
export const mayShip = (side: Side, { permissions }: Actor): boolean =>
  isAllowed(permissions, side === 'customer' ? 'order:order:update' : 'order:order:handle');

/** Who says how the terminal travels: there, once it is accepted, and back. */
export const shipper = ({ state }: { readonly state: string }): Side | undefined =>
  state === 'accepted' ? 'customer' : state === 'returning' ? 'service' : undefined;
