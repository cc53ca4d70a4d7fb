import { route } from '../../kit/route.ts';

const load = () => import('./message.page.tsx').then((found) => found.messagePage);

const form = () => import('./notice-form.page.tsx').then((found) => found.noticeForm);

export const messageRoutes = [
  route({ path: '/message', platform: 'centre', title: 'message.title', keepAlive: true, load }),
  route({ path: '/manager/message', platform: 'manager', title: 'message.title', keepAlive: true, load }),
  route({
    path: '/notice',
    platform: 'manager',
    title: 'notice.many',
    keepAlive: true,
    load: () => import('./notice-list.page.tsx').then((found) => found.noticeList),
  }),
  route({ path: '/notice/new', platform: 'manager', title: 'notice.add', parent: '/notice', load: form }),
  route({ path: '/notice/:id', platform: 'manager', title: 'notice.edit', parent: '/notice', load: form }),
];
