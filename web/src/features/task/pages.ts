import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import { type RouteSpec, route } from '../../kit/route.ts';

const below = { platform: 'centre', activeMenu: '/task', parent: '/task' } as const;

/** One family of screens for general releases of all kinds (specification, section 2). */
export const generalTaskRoutes = (kinds: readonly ReleaseKind[]): readonly RouteSpec[] => [
  route({
    path: '/task',
    platform: 'centre',
    title: 'task.title',
    keepAlive: true,
    load: () => import('./general-list.page.tsx').then((found) => found.generalList(kinds)),
  }),
  route({
    ...below,
    path: '/task/create',
    title: 'firmware.task.add',
    load: () => import('./create.page.tsx').then((found) => found.createPage(kinds)),
  }),
  route({
    ...below,
    path: '/task/create/:kind',
    title: 'firmware.task.add',
    load: () => import('./of-kind.page.tsx').then((found) => found.generalWizard(kinds)),
  }),
  route({
    ...below,
    path: '/task/update/:id',
    title: 'firmware.task.editTitle',
    load: () => import('./of-kind.page.tsx').then((found) => found.generalEdit(kinds)),
  }),
  route({
    ...below,
    path: '/task/detail/:id',
    title: 'task.title',
    load: () => import('./of-kind.page.tsx').then((found) => found.generalDetail(kinds)),
  }),
];
