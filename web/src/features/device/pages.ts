import type { DeviceDetail } from '@mooring/contract/device/schemas';
import type { ComponentType } from 'react';
import { type RouteSpec, route } from '../../kit/route.ts';
import type { MapTab } from './map/map.page.tsx';

const load = () => import('./device-list.page.ts').then((found) => found.deviceList);

type Part = ComponentType<{ row: DeviceDetail }>;

/** What other domains show of a terminal. */
export interface Parts {
  readonly Alarms: Part;
  readonly Fences: Part;
  readonly Tests: Part;
  readonly FailingParts: Part;
  readonly Params: Part;
  readonly Orders: Part;
}
/** What other domains say about a terminal, and show on its map. */
export interface OfDevice {
  readonly parts: () => Promise<Parts>;
  readonly mapTabs: () => Promise<readonly MapTab[]>;
}

export const deviceRoutes = ({ parts, mapTabs }: OfDevice): readonly RouteSpec[] => [
  route({ path: '/device/device', platform: 'centre', title: 'device.list.title', keepAlive: true, load }),
  route({ path: '/device/all', platform: 'manager', title: 'device.list.title', keepAlive: true, load }),
  route({
    path: '/device/deviceDetail/:id',
    title: 'device.list.title',
    parent: ['/device/device', '/device/all'],
    load: async () => (await import('./device-detail.page.tsx')).deviceDetail(await parts()),
  }),
  route({
    path: '/device/amap',
    title: 'map.title',
    keepAlive: true,
    load: async () => (await import('./map/map.page.tsx')).mapPage(await mapTabs()),
  }),
  route({
    path: '/device/logs',
    title: 'deviceLog.title',
    keepAlive: true,
    load: () => import('./log/logs.page.tsx').then((found) => found.logsPage),
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
