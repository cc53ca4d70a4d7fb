import { eachMenu, type MenuNode } from './menus.ts';

const pages: ReadonlyMap<string, MenuNode> = new Map(
  eachMenu()
    .filter((node) => node.type === 2)
    .flatMap((page) => [page, ...page.children].flatMap((node) => node.perms.map((perm) => [perm, page] as const))),
);

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
    verb: found.page.perms.includes(found.perm)
      ? null
      : (found.perm
          .replace(/:page$/, '')
          .split(':')
          .at(-1) ?? null),
  };
}
