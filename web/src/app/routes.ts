import { isGeneral } from '@mooring/contract/engines/rollout/task-kind';
import type { Platform } from '@mooring/contract/kit/call';
import { releaseRoutes } from '../engines/rollout/pages.ts';
import type { ReleaseKind } from '../engines/rollout/release-kind.ts';
import { accessRoutes } from '../features/access/pages.ts';
import { accountRoutes, policyTabs } from '../features/account/pages.ts';
import { alertRoutes } from '../features/alert/pages.ts';
import { appRoutes } from '../features/app/pages.ts';
import { softApps } from '../features/app/release-kind.tsx';
import { appPermissions } from '../features/app-permission/kind.ts';
import { approvalRoutes, approvalTabs } from '../features/approval/pages.ts';
import { auditLogRoutes } from '../features/audit-log/pages.ts';
import { authRoutes } from '../features/auth/pages.ts';
import { blackoutRoutes } from '../features/blackout/pages.ts';
import { customerRoutes } from '../features/customer/pages.ts';
import { adverts, customizations, desktops } from '../features/desktop/kinds.tsx';
import { desktopRoutes } from '../features/desktop/pages.ts';
import { deviceRoutes } from '../features/device/pages.ts';
import { fileRoutes } from '../features/file/pages.ts';
import { firmware } from '../features/firmware/kind.ts';
import { hardwareTestRoutes } from '../features/hardware-test/pages.ts';
import { helpRoutes } from '../features/help/pages.ts';
import { inventoryRoutes } from '../features/inventory/pages.ts';
import { jobRoutes } from '../features/job/pages.ts';
import { languageRoutes } from '../features/language/pages.ts';
import { merchantRoutes } from '../features/merchant/pages.ts';
import { messageRoutes } from '../features/message/pages.ts';
import { modules } from '../features/module/kind.ts';
import { networkConfigs } from '../features/network-config/kind.ts';
import { orderRoutes } from '../features/order/pages.ts';
import { orgRoutes } from '../features/org/pages.ts';
import { androidParams } from '../features/paramfile/android-kind.tsx';
import { paramFiles } from '../features/paramfile/kind.tsx';
import { paramFileRoutes } from '../features/paramfile/pages.ts';
import { patches } from '../features/patch/kind.ts';
import { productRoutes } from '../features/product/pages.ts';
import { settingsRoutes } from '../features/settings/pages.ts';
import { signingRoutes } from '../features/signing/pages.ts';
import { homeRoutes } from '../features/stats/pages.ts';
import { generalTaskRoutes } from '../features/task/pages.ts';
import { type RouteSpec, route } from '../kit/route.ts';
import type { SettingsTab } from '../kit/settings-tabs.ts';
import { notFoundPage } from './plain-pages.tsx';

export const NOT_FOUND = '/error/not-found';
const shellRoutes: readonly RouteSpec[] = [
  route({ path: '/error/not-found', title: 'page.notFound', load: () => Promise.resolve(notFoundPage) }),
];

declare const __GALLERY__: boolean;
const galleryRoutes: readonly RouteSpec[] = __GALLERY__
  ? [
      route({
        path: '/__gallery',
        open: true,
        title: 'kit.more',
        load: () => import('../gallery/gallery.page.tsx').then((found) => found.galleryPage),
      }),
    ]
  : [];

/** What the domains add to the system settings. */
const settingsTabs: readonly SettingsTab[] = [...policyTabs, ...approvalTabs];

/** What can be released to terminals. */
export const kinds: readonly ReleaseKind[] = [
  firmware,
  modules,
  patches,
  appPermissions,
  networkConfigs,
  paramFiles,
  softApps,
  androidParams,
  adverts,
  customizations,
  desktops,
];
const generalKinds = kinds.filter(({ of }) => isGeneral(of));

/** Every screen: each domain's own list, one line each. */
export const routes: readonly RouteSpec[] = [
  ...shellRoutes,
  ...authRoutes,
  ...accountRoutes,
  ...accessRoutes,
  ...orgRoutes,
  ...blackoutRoutes,
  ...galleryRoutes,
  ...homeRoutes,
  ...deviceRoutes({
    parts: async () => {
      const [alarms, fences, tests, params, orders] = await Promise.all([
        import('../features/alert/of-device.tsx'),
        import('../features/geofence/of-device.tsx'),
        import('../features/hardware-test/of-device.tsx'),
        import('../features/paramfile/of-device.tsx'),
        import('../features/order/of-others.tsx'),
      ]);
      return {
        Alarms: alarms.AlarmsOfDevice,
        Fences: fences.FencesOfDevice,
        Tests: tests.TestsOfDevice,
        FailingParts: tests.FailingParts,
        Params: params.ParamsOfDevice,
        Orders: orders.OrdersOfDevice,
      };
    },
    mapTabs: () => import('../features/geofence/map-tabs.tsx').then((found) => found.mapTabs),
  }),
  ...hardwareTestRoutes,
  ...alertRoutes,
  ...merchantRoutes({
    terminals: () => import('../features/device/device-list.page.ts').then((found) => found.deviceList.spec as never),
    params: () => import('../features/paramfile/of-place.tsx').then((found) => found.ParamsOfPlace),
    orders: () => import('../features/order/of-others.tsx').then((found) => found.OrdersOfMerchant),
  }),
  ...inventoryRoutes,
  ...customerRoutes,
  ...appRoutes,
  ...orderRoutes,
  ...productRoutes,
  ...kinds.filter(({ of }) => !isGeneral(of)).flatMap(releaseRoutes),
  ...generalTaskRoutes(generalKinds),
  ...paramFileRoutes,
  ...desktopRoutes,
  ...signingRoutes,
  ...approvalRoutes,
  ...fileRoutes,
  ...settingsRoutes(settingsTabs),
  ...languageRoutes,
  ...jobRoutes,
  ...messageRoutes,
  ...helpRoutes,
  ...auditLogRoutes,
];

/** Specification, section 2: the home of each platform, and the addresses that lead there. */
export const homes = { centre: '/welcome', manager: '/device/all' } as const;
/** Going to one of them is how a platform is changed: the address decides, and what is unsaved is asked about first. */
export const entrances = { centre: '/centreManager', manager: '/manager' } as const;
/** Addresses that only lead on, with the platform that they belong to. */
export const redirects: ReadonlyMap<string, Platform | undefined> = new Map([
  ['/', undefined],
  [entrances.centre, 'centre'],
  [entrances.manager, 'manager'],
]);

/** Opened from outside, and never among the recent pages. */
export const isPublic = (path: string): boolean => /^\/(login|reg|password|approveTaskEmail)(\/|$)/.test(path);
