import { type RouteSpec, route } from '../../kit/route.ts';

const form = () => import('./help-form.page.tsx').then((found) => found.helpForm);
const console = { platform: 'manager', parent: '/helpCenterConsole' } as const;

export const helpRoutes: readonly RouteSpec[] = [
  route({ path: '/help/:article?', title: 'help.title', load: () => import('./help.page.tsx').then((found) => found.helpPage) }),
  route({
    path: '/login/help/:article?',
    open: true,
    title: 'help.open',
    load: () => import('./open-help.page.tsx').then((found) => found.openHelpPage),
  }),
  route({
    path: '/helpCenterConsole',
    platform: 'manager',
    title: 'helpArticle.many',
    keepAlive: true,
    load: () => import('./help-list.page.tsx').then((found) => found.helpList),
  }),
  route({ ...console, path: '/helpCenterConsole/new', title: 'helpArticle.add', load: form }),
  route({
    ...console,
    path: '/helpCenterConsole/:id',
    title: 'helpArticle.many',
    load: () => import('./help-article.page.tsx').then((found) => found.helpArticlePage),
  }),
  route({ ...console, path: '/helpCenterConsole/:id/edit', title: 'helpArticle.edit', load: form }),
];
