import type { Call } from '@mooring/contract/kit/call';
import type { ReactNode } from 'react';
import type { ListSpec } from '../../kit/list/types.ts';
import { type RouteSpec, route } from '../../kit/route.ts';
import type { OfPlace } from './of-place.ts';

/** What other domains show on their pages: the list of terminals, and parameters. */
interface Parts {
  readonly terminals: () => Promise<ListSpec<Call>>;
  readonly params: () => Promise<OfPlace>;
  readonly orders: () => Promise<OrdersOf>;
}

/** The orders of a merchant. */
export type OrdersOf = (of: { row: { readonly id: number } }) => ReactNode;

export const merchantRoutes = ({ terminals, params, orders }: Parts): readonly RouteSpec[] => [
  route({
    path: '/merchant',
    title: 'merchant.title',
    keepAlive: true,
    load: () => import('./merchants.tsx').then((found) => found.merchantList),
  }),
  route({
    path: '/merchant/detail/:deviceId',
    title: 'merchant.ofDevice',
    parent: '/merchant',
    activeMenu: '/merchant',
    load: () => import('./of-device.page.tsx').then((found) => found.merchantOfDevice),
  }),
  route({
    path: '/merchant/:id',
    title: 'merchant.title',
    parent: '/merchant',
    activeMenu: '/merchant',
    load: async () => (await import('./merchant.page.tsx')).merchantPage(await terminals(), await params(), await orders()),
  }),
  route({
    path: '/merchant/shop/:id',
    title: 'shop.title',
    parent: '/merchant',
    activeMenu: '/merchant',
    load: async () => (await import('./shop.page.tsx')).shopPage(await terminals(), await params()),
  }),
  route({
    path: '/maintenance',
    title: 'maintenance.title',
    keepAlive: true,
    load: () => import('./maintenance.tsx').then((found) => found.maintenanceList),
  }),
];
