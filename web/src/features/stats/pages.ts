import { route } from '../../kit/route.ts';

export const welcomeRoutes = [
  route({
    path: '/welcome',
    platform: 'centre',
    title: 'page.welcome',
    keepAlive: true,
    load: () => import('./welcome.page.tsx').then((found) => found.welcomePage),
  }),
];
