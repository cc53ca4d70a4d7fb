import { route } from '../../kit/route.ts';

const load = () => import('./device-list.page.ts').then((found) => found.deviceList);

export const deviceRoutes = [
  route({ path: '/device/device', platform: 'centre', title: 'device.list.title', keepAlive: true, load }),
  route({ path: '/device/all', platform: 'manager', title: 'device.list.title', keepAlive: true, load }),
  route({
    path: '/device/deviceDetail/:id',
    title: 'device.list.title',
    parent: '/device/device',
    load: () => import('./device-detail.page.tsx').then((found) => found.deviceDetail),
  }),
  route({
    path: '/regDevice',
    platform: 'centre',
    title: 'reg.title',
    keepAlive: true,
    load: () => import('./reg.page.tsx').then((found) => found.regPage),
  }),
];
