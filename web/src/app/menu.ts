import type { NavNode } from '@mooring/contract/access/calls';

/** Buttons (type 3) never show in the navigation; a group without pages neither. */
export function shownMenu(nodes: readonly NavNode[]): NavNode[] {
  return nodes
    .filter((node) => node.type !== 3)
    .map((node) => ({ ...node, children: shownMenu(node.children) }))
    .filter((node) => node.type === 2 || node.children.length > 0);
}

export const pagesOf = (nodes: readonly NavNode[]): NavNode[] =>
  nodes.flatMap((node) => [...(node.type === 2 && node.url ? [node] : []), ...pagesOf(node.children)]);

const below = (path: string, url: string) => path === url || path.startsWith(url.endsWith('/') ? url : `${url}/`);

/** The page of the menu that an address belongs to: the one that its route names, else the longest that it lies below. */
export function activePage(nodes: readonly NavNode[], path: string, override?: string): NavNode | undefined {
  const pages = pagesOf(nodes);
  const named = override === undefined ? undefined : pages.find((page) => page.url === override);
  if (named) return named;
  return pages.filter((page) => page.url && below(path, page.url)).sort((a, b) => (b.url?.length ?? 0) - (a.url?.length ?? 0))[0];
}

export const isWithin = (node: NavNode, active: NavNode | undefined): boolean =>
  active !== undefined && (node.id === active.id || node.children.some((child) => isWithin(child, active)));

/** Where a platform begins: its home if the person has it, else the first page of the menu. */
export const homeOf = (nodes: readonly NavNode[], preferred: string): string | undefined => {
  const pages = pagesOf(nodes);
  return pages.find((page) => page.url === preferred)?.url ?? pages[0]?.url ?? undefined;
};
