import { buttonName } from '@mooring/contract/access/acts';
import type { NavNode } from '@mooring/contract/access/calls';
import { type MenuNode, menus } from '@mooring/contract/access/menus';
import type { Platform } from '@mooring/contract/kit/call';
import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../platform/context.ts';
import { t } from '../../platform/texts/translate.ts';
import { holds, menusOf } from './rights.ts';

/** A page by its own text, a button by what it does. */
export const menuName = ({ type, code }: MenuNode, lang: string): string =>
  type === 3 ? buttonName(code, (key) => t(lang, key)) : t(lang, `menu.${code}`);

interface Pruning {
  readonly may?: (perm: string) => boolean;
  /** A button is named with its page even where that one isn't held: it may be pressed from elsewhere. */
  readonly withPages?: boolean;
}

/** The part of the tree that these menus hold on a platform; a group without a page isn't shown. */
export function pruned(
  nodes: readonly MenuNode[],
  held: readonly string[],
  platform: Platform,
  lang: string,
  { may = () => true, withPages = false }: Pruning = {},
): NavNode[] {
  return nodes.flatMap((node) => {
    if (!node.platforms.includes(platform)) return [];
    const children = pruned(node.children, held, platform, lang, { may, withPages });
    const isEmpty = children.length === 0;
    const opens = holds(held, node.code) && node.perms.every(may);
    if (node.type === 1 ? isEmpty : !opens && !(withPages && !isEmpty)) return [];
    return [
      {
        id: node.id,
        name: menuName(node, lang),
        code: node.code,
        type: node.type,
        icon: node.icon ?? null,
        url: node.url ?? null,
        perms: node.perms.join(','),
        children,
      },
    ];
  });
}

/** Specification, section 6: an empty menu is the error 'no menu permission' with code 500. */
export async function nav(ctx: Ctx, platform: Platform): Promise<NavNode[]> {
  const held = await ctx.unscoped((db) => menusOf(db, ctx.actor.userId, platform));
  // A page that is withheld from this person is no entry of their menu either.
  const tree = pruned(menus, held, platform, ctx.lang, { may: (perm) => ctx.actor.permissions.has(perm) });
  if (tree.length === 0) throw new Fault('NO_MENU', { code: 500 });
  return tree;
}
