import { route } from '../../kit/route.ts';

const templateForm = () => import('./template-form.page.ts').then((found) => found.templateForm);
const belowTemplates = { platform: 'centre', activeMenu: '/pos/paramstemplate', parent: '/pos/paramstemplate' } as const;

export const paramFileRoutes = [
  route({
    path: '/pos/paramstemplate',
    platform: 'centre',
    title: 'paramTemplate.title',
    keepAlive: true,
    load: () => import('./template-list.page.ts').then((found) => found.templateList),
  }),
  route({ ...belowTemplates, path: '/pos/paramstemplate/new', title: 'paramTemplate.add', load: templateForm }),
  route({
    ...belowTemplates,
    path: '/pos/paramstemplate/detail/:id',
    title: 'paramTemplate.title',
    load: () => import('./template.page.tsx').then((found) => found.templatePage),
  }),
  route({ ...belowTemplates, path: '/pos/paramstemplate/:id', title: 'paramTemplate.edit', load: templateForm }),
  route({
    path: '/post/paramfile',
    platform: 'centre',
    title: 'paramSet.title',
    keepAlive: true,
    load: () => import('./param-set-list.page.ts').then((found) => found.paramSetList),
  }),
  route({
    path: '/post/paramfile/detail/:id',
    platform: 'centre',
    title: 'paramSet.title',
    activeMenu: '/post/paramfile',
    parent: '/post/paramfile',
    load: () => import('./param-set.page.tsx').then((found) => found.paramSetPage),
  }),
];
