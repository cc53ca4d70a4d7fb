import { route } from '../../kit/route.ts';

export const languageRoutes = [
  route({
    path: '/labelManage',
    platform: 'manager',
    title: 'language.title',
    load: () => import('./label-manage.page.tsx').then((found) => found.labelManagePage),
  }),
];
