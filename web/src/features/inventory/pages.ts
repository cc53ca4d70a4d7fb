import { route } from '../../kit/route.ts';

export const inventoryRoutes = [
  route({
    path: '/inventory/device/page',
    platform: 'manager',
    title: 'stock.title',
    keepAlive: true,
    load: () => import('./stock.page.tsx').then((found) => found.stockPage),
  }),
  route({
    path: '/inventory/device/page/count/new',
    platform: 'manager',
    title: 'stockCount.new',
    parent: '/inventory/device/page',
    load: () => import('./count.page.tsx').then((found) => found.countPage),
  }),
  route({
    path: '/inventory/device/page/count/:id',
    platform: 'manager',
    title: 'stockCount.title',
    parent: '/inventory/device/page',
    load: () => import('./counts.tsx').then((found) => found.countResultPage),
  }),
  route({
    path: '/device/receipt/page',
    platform: 'manager',
    title: 'receipt.title',
    keepAlive: true,
    load: () => import('./receipts.tsx').then((found) => found.receiptList),
  }),
  route({
    path: '/device/receipt/page/:id',
    platform: 'manager',
    title: 'receipt.title',
    parent: '/device/receipt/page',
    load: () => import('./receipt.page.tsx').then((found) => found.receiptPage),
  }),
  route({
    path: '/device/dispatch/page',
    platform: 'manager',
    title: 'dispatch.title',
    keepAlive: true,
    load: () => import('./dispatches.tsx').then((found) => found.dispatchList),
  }),
  route({
    path: '/device/dispatch/page/:id',
    platform: 'manager',
    title: 'dispatch.title',
    parent: '/device/dispatch/page',
    load: () => import('./dispatch.page.tsx').then((found) => found.dispatchPage),
  }),
  route({
    path: '/device/sales/page',
    platform: 'manager',
    title: 'sale.title',
    keepAlive: true,
    load: () => import('./sales.tsx').then((found) => found.saleList),
  }),
  route({
    path: '/syncDevice',
    platform: 'manager',
    title: 'sync.title',
    keepAlive: true,
    load: () => import('./sync.page.tsx').then((found) => found.syncPage),
  }),
];
