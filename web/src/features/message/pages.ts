import { route } from '../../kit/route.ts';

const load = () => import('./message.page.tsx').then((found) => found.messagePage);

export const messageRoutes = [
  route({ path: '/message', platform: 'centre', title: 'message.title', keepAlive: true, load }),
  route({ path: '/manager/message', platform: 'manager', title: 'message.title', keepAlive: true, load }),
];
