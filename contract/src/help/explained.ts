/** `/notice` explains `/notice/new` as well, unless another article explains that more exactly. */
function exactness(route: string, pattern: string): number {
  const wanted = route.split('/').filter(Boolean);
  const given = pattern.split('/').filter(Boolean);
  return wanted.length <= given.length && wanted.every((part, at) => part === given[at]) ? wanted.length : 0;
}

/** Those that explain a screen, by the pattern of its address: of all that name it or what it stands below the most exact ones. */
export function explaining<A extends { readonly routes: readonly string[] }>(articles: readonly A[], pattern: string): A[] {
  const found = articles.map((article) => ({ article, most: Math.max(0, ...article.routes.map((route) => exactness(route, pattern))) }));
  const best = Math.max(0, ...found.map(({ most }) => most));
  return best === 0 ? [] : found.filter(({ most }) => most === best).map(({ article }) => article);
}
