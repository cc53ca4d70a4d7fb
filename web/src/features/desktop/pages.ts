import { route } from '../../kit/route.ts';

const details = () => import('./content-details.tsx');

const advertForm = () => import('./advert-form.page.ts').then((found) => found.advertForm);
const belowAdvert = { platform: 'centre', activeMenu: '/pos/advert', parent: '/pos/advert' } as const;

const customizationForm = () => import('./customization-form.page.ts').then((found) => found.customizationForm);
const belowCustomization = { platform: 'centre', activeMenu: '/pos/customization', parent: '/pos/customization' } as const;

const desktopForm = () => import('./desktop-form.page.ts').then((found) => found.desktopForm);
const belowDesktop = { platform: 'centre', activeMenu: '/diyDesktop', parent: '/diyDesktop' } as const;

/** Of each kind a list, a form for new ones and drafts, and a page that shows what it holds. */
export const desktopRoutes = [
  route({
    path: '/pos/advert',
    platform: 'centre',
    title: 'advert.title',
    keepAlive: true,
    load: () => import('./advert-list.page.ts').then((found) => found.advertList),
  }),
  route({ ...belowAdvert, path: '/pos/advert/new', title: 'advert.add', load: advertForm }),
  route({ ...belowAdvert, path: '/pos/advert/detail/:id', title: 'advert.title', load: () => details().then((found) => found.advertPage) }),
  route({ ...belowAdvert, path: '/pos/advert/:id', title: 'advert.edit', load: advertForm }),
  route({
    path: '/pos/customization',
    platform: 'centre',
    title: 'customization.title',
    keepAlive: true,
    load: () => import('./customization-list.page.ts').then((found) => found.customizationList),
  }),
  route({ ...belowCustomization, path: '/pos/customization/new', title: 'customization.add', load: customizationForm }),
  route({
    ...belowCustomization,
    path: '/pos/customization/detail/:id',
    title: 'customization.title',
    load: () => details().then((found) => found.customizationPage),
  }),
  route({ ...belowCustomization, path: '/pos/customization/:id', title: 'customization.edit', load: customizationForm }),
  route({
    path: '/diyDesktop',
    platform: 'centre',
    title: 'desktop.title',
    keepAlive: true,
    load: () => import('./desktop-list.page.ts').then((found) => found.desktopList),
  }),
  route({ ...belowDesktop, path: '/diyDesktop/new', title: 'desktop.add', load: desktopForm }),
  route({
    ...belowDesktop,
    path: '/diyDesktop/detail/:id',
    title: 'desktop.title',
    load: () => details().then((found) => found.desktopPage),
  }),
  route({ ...belowDesktop, path: '/diyDesktop/:id', title: 'desktop.edit', load: desktopForm }),
];
