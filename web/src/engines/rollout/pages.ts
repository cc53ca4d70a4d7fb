import { type RouteSpec, route } from '../../kit/route.ts';
import { isPackaged, type ReleaseKind } from './release-kind.ts';

/** The screens of a kind: its releases with wizard and detail, and its packages where it has any. */
export function releaseRoutes(kind: ReleaseKind): readonly RouteSpec[] {
  const { list, task, packages } = kind.of.screens;
  const { preTasks } = kind.calls;
  const below = { platform: 'centre', activeMenu: list, parent: list } as const;
  const wizard = () => import('./task-wizard.page.tsx').then((found) => found.taskWizard(kind));
  const tasks = [
    route({
      path: list,
      platform: 'centre',
      title: kind.title,
      keepAlive: true,
      load: () => import('./task-list.page.tsx').then((found) => found.taskList(kind)),
    }),
    route({ ...below, path: `${task}/new`, title: 'firmware.task.add', load: wizard }),
    route({ ...below, path: `${task}/:id/edit`, title: 'firmware.task.editTitle', load: wizard }),
  ];
  const preWizard = preTasks && (() => import('./task-wizard.page.tsx').then((found) => found.preTaskWizard(kind, preTasks)));
  const pre = preWizard
    ? [
        route({ ...below, path: `${task}/pre/new`, title: 'firmware.pretask.add', load: preWizard }),
        route({ ...below, path: `${task}/pre/:id/edit`, title: 'firmware.pretask.editTitle', load: preWizard }),
      ]
    : [];
  const detail = route({
    ...below,
    path: `${task}/:id`,
    title: kind.title,
    load: () => import('./task-detail.page.tsx').then((found) => found.taskDetail(kind)),
  });
  if (!isPackaged(kind) || packages === undefined) return [...tasks, ...pre, detail];
  return [
    ...tasks,
    ...pre,
    detail,
    route({
      path: packages,
      platform: 'centre',
      title: kind.packages.title,
      keepAlive: true,
      load: () => import('./package-list.page.tsx').then((found) => found.packageList(kind)),
    }),
    route({
      platform: 'centre',
      path: `${packages}/:id`,
      title: kind.packages.title,
      activeMenu: packages,
      parent: packages,
      load: () => import('./package-detail.page.tsx').then((found) => found.packageDetail(kind)),
    }),
  ];
}
