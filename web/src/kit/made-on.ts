import { eachMenu } from '@mooring/contract/access/menus';
import type { Platform } from '@mooring/contract/kit/call';

/** The page, and the part of it, where things are made: the code of its menu entry, `businessUnit?tab=lines`; the first that is open counts. */
export type MadeOn = readonly string[];

const pages = new Map(
  eachMenu().flatMap((node) => (node.type === 2 && node.url ? [[node.code, { ...node, url: node.url }] as const] : [])),
);

interface Reach {
  readonly platform: Platform;
  readonly held: ReadonlySet<string>;
  readonly elsewhere: ReadonlySet<string>;
}
export interface Way {
  readonly to: string;
  readonly page: string;
  /** Where it is another one than the person is on. */
  readonly platform: Platform | undefined;
}

/** The way to where things are made, for those who may open it: on this platform, or else on the other one. */
export function wayTo(madeOn: MadeOn, { platform, held, elsewhere }: Reach): Way | undefined {
  const found = madeOn.flatMap((one) => {
    const [code = '', search] = one.split('?');
    const page = pages.get(code);
    return page ? [{ page, to: search ? `${page.url}?${search}` : page.url }] : [];
  });
  const isOpen = (page: { perms: readonly string[] }, to: ReadonlySet<string>) => page.perms.some((perm) => to.has(perm));
  const here = found.find(({ page }) => page.platforms.includes(platform) && isOpen(page, held));
  if (here) return { to: here.to, page: here.page.code, platform: undefined };
  const there = found.find(({ page }) => !page.platforms.includes(platform) && isOpen(page, elsewhere));
  return there && { to: there.to, page: there.page.code, platform: there.page.platforms[0] };
}
