import type { MenuNode } from './menu-nodes.ts';
import { eachMenu } from './menus.ts';

const pages: ReadonlyMap<string, MenuNode> = new Map(
  eachMenu()
    .filter((node) => node.type === 2)
    .flatMap((page) => [page, ...page.children].flatMap((node) => node.perms.map((perm) => [perm, page] as const))),
);

/** Buttons whose last word stands for something else on another page, or is said by several buttons of theirs. */
const ownVerbs: Readonly<Record<string, string>> = {
  'device:command:send': 'command',
  'settings:policy:update': 'policy',
  'settings:token:revoke': 'revokeToken',
  'settings:webhook:update': 'webhooks',
  'home:wall:view': 'wall',
  'device:view:share': 'shareView',
  'device:all:share': 'shareView',
  'order:order:approve': 'approveCosts',
  'order:order:confirm': 'confirmDelivery',
  'order:order:handle': 'repair',
  'alert:receiver:edit': 'receivers',
  'geofence:geofence:page': 'geofences',
  'geofence:geofence:add': 'addGeofence',
  'geofence:geofence:update': 'updateGeofence',
  'geofence:geofence:delete': 'deleteGeofence',
  'customer:iot:register': 'registerIot',
  'geofence:alarm:handle': 'geofenceAlarms',
  'app:dev:apply': 'applyDeveloper',
  'app:dev:submit': 'submitApps',
  'app:sdk:manage': 'manageSdks',
  'app:app:review': 'reviewApps',
  'app:app:delist': 'delistApps',
  'app:app:developer': 'developers',
  'merchant:shop:add': 'addShop',
  'merchant:shop:update': 'updateShop',
  'merchant:shop:delete': 'deleteShop',
  'signing:job:add': 'sign',
  'signing:job:approve': 'approveSigning',
  'signing:key:add': 'addKey',
  'signing:key:update': 'changeKey',
  'signing:key:approve': 'approveKey',
  'signing:profile:add': 'addProfile',
  'signing:profile:update': 'changeProfile',
  'signing:profile:delete': 'deleteProfile',
  'help:category:edit': 'helpCategories',
  'product:firm:edit': 'firms',
  'product:industry:edit': 'industries',
  'product:category:edit': 'categories',
  'product:model:edit': 'thingModel',
  'product:model:publish': 'publishThingModel',
};

/** Of a general release: its kind, and what may be done with it (specification, section 6). */
const ofGeneral = /^tms:(\w+):(\w+)$/;

/** What a button does, by its permission; of a part of a page what it shows (`access.verb.<verb>`). */
export const verbOf = (perm: string): string =>
  ownVerbs[perm] ??
  ofGeneral.exec(perm)?.[2] ??
  perm
    .replace(/:page$/, '')
    .split(':')
    .at(-1) ??
  perm;

/** What a button is called; of a kind of general releases its kind is said, since their entry has those of several. */
export function buttonName(perm: string, say: (key: string) => string): string {
  const verb = say(`access.verb.${verbOf(perm)}`);
  const kind = ofGeneral.exec(perm)?.[1];
  return kind === undefined ? verb : `${say(`task.kind.${kind}`)} › ${verb}`;
}

/** The page that a permission belongs to, and which button of it (`access.verb.<verb>`); null where it opens the page itself. */
export interface Act {
  readonly page: string;
  readonly verb: string | null;
}

/** What a call does by the permission that it asks for; one that several pages share is the one of the platform. */
export function actOf(can: string | readonly string[], platform: string | null): Act | null {
  const perms = (typeof can === 'string' ? [can] : can).flatMap((one) => one.split('||'));
  const known = perms.flatMap((perm) => {
    const page = pages.get(perm);
    return page ? [{ page, perm }] : [];
  });
  const found = known.find(({ page }) => page.platforms.some((one) => one === platform)) ?? known[0];
  if (!found) return null;
  return {
    page: found.page.code,
    verb: found.page.perms.includes(found.perm) ? null : verbOf(found.perm),
  };
}

/**
 * Every permission in words, "Firmware releases › Pause", with its platform before it where another one reads the same.
 * @param say the text of a key
 */
export function permissionNames(say: (key: string) => string): ReadonlyMap<string, string> {
  const alone = [...pages].map(([perm, page]) => {
    const button = page.perms.includes(perm) ? say('access.verb.page') : buttonName(perm, say);
    return { perm, page, name: `${say(`menu.${page.code}`)} › ${button}` };
  });
  const times = new Map<string, number>();
  for (const { name } of alone) times.set(name, (times.get(name) ?? 0) + 1);
  return new Map(
    alone.map(({ perm, page, name }) => {
      const on = times.get(name) === 1 ? [] : page.platforms.map((platform) => say(`platform.${platform}`));
      return [perm, [...on, name].join(' › ')];
    }),
  );
}
