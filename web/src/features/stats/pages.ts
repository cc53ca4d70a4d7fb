import { route } from '../../kit/route.ts';

const home = () => import('./home.page.tsx').then((found) => found.homePage);

export const homeRoutes = [
  route({ path: '/welcome', platform: 'centre', title: 'page.welcome', keepAlive: true, load: home }),
  route({ path: '/dashboard', platform: 'manager', title: 'page.dashboard', keepAlive: true, load: home }),
  route({
    path: '/device/compliance',
    platform: 'centre',
    title: 'compliance.title',
    keepAlive: true,
    load: () => import('./compliance.page.tsx').then((found) => found.compliancePage),
  }),
];
