import { route } from '../../kit/route.ts';

export const customerRoutes = [
  route({
    path: '/customerConfig',
    platform: 'manager',
    title: 'iotCustomer.title',
    keepAlive: true,
    load: () => import('./customers.tsx').then((found) => found.customerList),
  }),
  route({
    path: '/customerConfig/new',
    platform: 'manager',
    title: 'iotCustomer.add',
    parent: '/customerConfig',
    load: () => import('./customer-form.page.tsx').then((found) => found.customerForm),
  }),
  route({
    path: '/customerConfig/:id',
    platform: 'manager',
    title: 'iotCustomer.title',
    parent: '/customerConfig',
    load: () => import('./customer.page.tsx').then((found) => found.customerPage),
  }),
  route({
    path: '/customerConfig/:id/edit',
    platform: 'manager',
    title: 'iotCustomer.edit',
    parent: '/customerConfig',
    load: () => import('./customer-form.page.tsx').then((found) => found.customerForm),
  }),
];
