import type { DeviceDetail } from '@mooring/contract/device/schemas';
import type { ComponentType } from 'react';
import type { ReleaseKind } from '../../engines/rollout/release-kind.ts';
import { type RouteSpec, route } from '../../kit/route.ts';

const load = () => import('./device-list.page.ts').then((found) => found.deviceList);

type Part = ComponentType<{ row: DeviceDetail }>;

/** `kinds` are what can be released to a terminal, `alarms` the list of its alarms. */
export const deviceRoutes = (kinds: readonly ReleaseKind[], alarms: () => Promise<Part>): readonly RouteSpec[] => [
  route({ path: '/device/device', platform: 'centre', title: 'device.list.title', keepAlive: true, load }),
  route({ path: '/device/all', platform: 'manager', title: 'device.list.title', keepAlive: true, load }),
  route({
    path: '/device/deviceDetail/:id',
    title: 'device.list.title',
    parent: '/device/device',
    load: async () => (await import('./device-detail.page.tsx')).deviceDetail(kinds, await alarms()),
  }),
  route({
    path: '/device/amap',
    title: 'map.title',
    keepAlive: true,
    load: () => import('./map/map.page.tsx').then((found) => found.deviceMap),
  }),
  route({
    path: '/device/active',
    title: 'active.title',
    keepAlive: true,
    load: () => import('./active/active.page.tsx').then((found) => found.activePage),
  }),
  route({
    path: '/device/deviceGrouping',
    platform: 'centre',
    title: 'deviceGroup.title',
    keepAlive: true,
    load: () => import('./groups/group-list.page.tsx').then((found) => found.groupList),
  }),
  route({
    path: '/device/deviceGrouping/:id',
    platform: 'centre',
    title: 'deviceGroup.title',
    parent: '/device/deviceGrouping',
    load: () => import('./groups/group.page.tsx').then((found) => found.groupPage),
  }),
  route({
    path: '/regDevice',
    platform: 'centre',
    title: 'reg.title',
    keepAlive: true,
    load: () => import('./reg.page.tsx').then((found) => found.regPage),
  }),
];
