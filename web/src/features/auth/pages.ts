import { route } from '../../kit/route.ts';

export const authRoutes = [
  route({ path: '/login', open: true, title: 'page.login', load: () => import('./login.page.tsx').then((found) => found.loginPage) }),
  route({
    path: '/reg',
    open: true,
    title: 'page.register',
    load: () => import('./register.page.tsx').then((found) => found.registerPage),
  }),
  route({
    path: '/password',
    open: true,
    title: 'page.password',
    load: () => import('./password.page.tsx').then((found) => found.passwordPage),
  }),
];
