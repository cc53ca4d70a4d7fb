import { route } from '../../kit/route.ts';

const list = '/post/paramfile';

export const paramFileRoutes = [
  route({
    path: list,
    platform: 'centre',
    title: 'paramSet.title',
    keepAlive: true,
    load: () => import('./param-set-list.page.ts').then((found) => found.paramSetList),
  }),
  route({
    path: `${list}/detail/:id`,
    platform: 'centre',
    title: 'paramSet.title',
    activeMenu: list,
    parent: list,
    load: () => import('./param-set.page.tsx').then((found) => found.paramSetPage),
  }),
];
