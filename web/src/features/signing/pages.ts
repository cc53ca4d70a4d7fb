import { route } from '../../kit/route.ts';

export const signingRoutes = [
  route({
    path: '/keyStoreAdd',
    platform: 'centre',
    title: 'keyStore.title',
    keepAlive: true,
    load: () => import('./key-stores.page.tsx').then((found) => found.keyStorePage),
  }),
  route({
    path: '/apkTool',
    platform: 'centre',
    title: 'signingJob.tool',
    keepAlive: true,
    load: () => import('./apk-tool.page.tsx').then((found) => found.apkToolPage),
  }),
  route({
    path: '/keypairAdd/:id',
    platform: 'centre',
    title: 'signingKey.title',
    parent: '/keyStoreAdd',
    activeMenu: '/keyStoreAdd',
    load: () => import('./key.page.tsx').then((found) => found.keyPage),
  }),
];
