import { route } from '../../kit/route.ts';

const common = { platform: 'manager', parent: '/ordersList', activeMenu: '/ordersList' } as const;

export const orderRoutes = [
  route({
    path: '/ordersList',
    platform: 'manager',
    title: 'order.title',
    keepAlive: true,
    load: () => import('./orders.page.tsx').then((found) => found.ordersPage),
  }),
  route({
    ...common,
    path: '/orderDetail/:id',
    title: 'order.one',
    load: () => import('./order.page.tsx').then((found) => found.orderPage),
  }),
  route({
    ...common,
    path: '/orderCreate',
    title: 'order.add',
    load: () => import('./order-form.page.tsx').then((found) => found.orderCreate),
  }),
  route({
    ...common,
    path: '/orderEdit/:id',
    title: 'order.edit',
    load: () => import('./order-form.page.tsx').then((found) => found.orderEdit),
  }),
];
