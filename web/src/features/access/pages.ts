import { route } from '../../kit/route.ts';

const members = () => import('./member.page.tsx').then((found) => found.memberPage);
const reviews = () => import('./review.page.ts').then((found) => found.reviews);
const roles = () => import('./role-pages.tsx');

export const accessRoutes = [
  route({ path: '/sys/member', platform: 'centre', title: 'member.title', keepAlive: true, load: members }),
  route({ path: '/managerSys/member', platform: 'manager', title: 'member.title', keepAlive: true, load: members }),
  route({ path: '/sys/review', platform: 'centre', title: 'review.title', keepAlive: true, load: reviews }),
  route({ path: '/managerSys/review', platform: 'manager', title: 'review.title', keepAlive: true, load: reviews }),
  route({
    path: '/sys/role',
    platform: 'centre',
    title: 'access.title',
    keepAlive: true,
    load: () => roles().then((found) => found.centreRoles),
  }),
  route({
    path: '/sys/role/new',
    platform: 'centre',
    title: 'access.add',
    parent: '/sys/role',
    load: () => roles().then((found) => found.centreRole),
  }),
  route({
    path: '/sys/role/:id',
    platform: 'centre',
    title: 'access.edit',
    parent: '/sys/role',
    load: () => roles().then((found) => found.centreRole),
  }),
  route({
    path: '/managerSys/role',
    platform: 'manager',
    title: 'access.title',
    keepAlive: true,
    load: () => roles().then((found) => found.managerRoles),
  }),
  route({
    path: '/managerSys/role/new',
    platform: 'manager',
    title: 'access.add',
    parent: '/managerSys/role',
    load: () => roles().then((found) => found.managerRole),
  }),
  route({
    path: '/managerSys/role/:id',
    platform: 'manager',
    title: 'access.edit',
    parent: '/managerSys/role',
    load: () => roles().then((found) => found.managerRole),
  }),
];
