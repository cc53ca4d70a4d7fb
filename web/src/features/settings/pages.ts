import { type RouteSpec, route } from '../../kit/route.ts';
import type { SettingsTab } from '../../kit/settings-tabs.ts';

/** `tabs` are the settings that other domains bring. */
export const settingsRoutes = (tabs: readonly SettingsTab[]): readonly RouteSpec[] => [
  route({
    path: '/system/settings',
    platform: 'manager',
    title: 'settings.title',
    load: () => import('./settings.page.tsx').then((found) => found.settingsPage(tabs)),
  }),
  route({
    path: '/paramsDic',
    platform: 'manager',
    title: 'settings.dict.title',
    keepAlive: true,
    load: () => import('./dict-list.page.tsx').then((found) => found.dictList),
  }),
];
