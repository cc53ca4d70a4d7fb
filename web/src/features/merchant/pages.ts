import type { Call } from '@mooring/contract/kit/call';
import type { ListSpec } from '../../kit/list/types.ts';
import { type RouteSpec, route } from '../../kit/route.ts';

/** `terminals` is the list of terminals. */
export const merchantRoutes = (terminals: () => Promise<ListSpec<Call>>): readonly RouteSpec[] => [
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
    load: async () => (await import('./merchant.page.tsx')).merchantPage(await terminals()),
  }),
  route({
    path: '/maintenance',
    title: 'maintenance.title',
    keepAlive: true,
    load: () => import('./maintenance.tsx').then((found) => found.maintenanceList),
  }),
];
