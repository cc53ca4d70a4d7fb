import { type RouteSpec, route } from '../../kit/route.ts';
import type { TextKey } from '../../ui/words.ts';

type Load = RouteSpec['load'];
interface Of {
  readonly path: string;
  readonly texts: 'advert' | 'customization' | 'desktop';
  readonly list: Load;
  readonly form: Load;
  readonly detail: Load;
}

/** A list, a form for new ones and drafts, and a page that shows what it holds. */
const screens = ({ path, texts, list, form, detail }: Of): RouteSpec[] => {
  const below = { platform: 'centre', activeMenu: path, parent: path } as const;
  const title = `${texts}.title` as TextKey;
  return [
    route({ path, platform: 'centre', title, keepAlive: true, load: list }),
    route({ ...below, path: `${path}/new`, title: `${texts}.add` as TextKey, load: form }),
    route({ ...below, path: `${path}/detail/:id`, title, load: detail }),
    route({ ...below, path: `${path}/:id`, title: `${texts}.edit` as TextKey, load: form }),
  ];
};
const details = () => import('./content-details.tsx');

export const desktopRoutes = [
  ...screens({
    path: '/pos/advert',
    texts: 'advert',
    list: () => import('./advert-list.page.ts').then((found) => found.advertList),
    form: () => import('./advert-form.page.ts').then((found) => found.advertForm),
    detail: () => details().then((found) => found.advertPage),
  }),
  ...screens({
    path: '/pos/customization',
    texts: 'customization',
    list: () => import('./customization-list.page.ts').then((found) => found.customizationList),
    form: () => import('./customization-form.page.ts').then((found) => found.customizationForm),
    detail: () => details().then((found) => found.customizationPage),
  }),
  ...screens({
    path: '/diyDesktop',
    texts: 'desktop',
    list: () => import('./desktop-list.page.ts').then((found) => found.desktopList),
    form: () => import('./desktop-form.page.ts').then((found) => found.desktopForm),
    detail: () => details().then((found) => found.desktopPage),
  }),
];
