import { route } from '../../kit/route.ts';

export const appRoutes = [
  route({
    path: '/appSub',
    platform: 'centre',
    title: 'appSubscription.title',
    keepAlive: true,
    load: () => import('./subscriptions.page.tsx').then((found) => found.subscriptionsPage),
  }),
  route({
    path: '/appSub/:id/:appKey/:deptId',
    platform: 'centre',
    title: 'appSubscription.one',
    parent: '/appSub',
    load: () => import('./subscriptions.page.tsx').then((found) => found.subscriptionPage),
  }),
  route({
    path: '/app',
    platform: 'centre',
    title: 'menu.app',
    keepAlive: true,
    load: () => import('./catalogue.page.tsx').then((found) => found.cataloguePage),
  }),
  route({
    path: '/dev',
    platform: 'centre',
    title: 'app.dev.title',
    keepAlive: true,
    load: () => import('./dev.page.tsx').then((found) => found.devPage),
  }),
  route({
    path: '/app/detail/:id',
    platform: 'centre',
    title: 'app.name',
    parent: '/app',
    load: () => import('./app.page.tsx').then((found) => found.appPage),
  }),
  route({
    path: '/app/version/:id',
    platform: 'centre',
    title: 'appVersion.versionName',
    parent: '/app',
    load: () => import('./version.page.tsx').then((found) => found.versionPage),
  }),
  route({
    path: '/app/version/:id/edit',
    platform: 'centre',
    title: 'appVersion.edit',
    parent: '/app',
    load: () => import('./version-form.page.tsx').then((found) => found.versionForm),
  }),
];
