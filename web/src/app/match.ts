import type { RouteSpec } from '../kit/route.ts';

export interface Match {
  readonly route: RouteSpec;
  readonly params: Readonly<Record<string, string>>;
}

/** Rows have whole numbers; another id leads nowhere, and its page would only fail. */
const isId = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text));

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** `:id` is a row's number, any other `:name` one segment, `:name?` may be left out. Literal segments win over parameters. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/').filter(Boolean);
  const given = path.split('/').filter(Boolean);
  if (given.length > wanted.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const segment = given[at];
    if (!part.startsWith(':')) {
      if (part !== segment) return undefined;
    } else if (segment !== undefined) {
      const name = part.slice(1).replace('?', '');
      const value = decoded(segment);
      if (value === undefined || (name === 'id' && !isId(value))) return undefined;
      params[name] = value;
    } else if (!part.endsWith('?')) return undefined;
  }
  return params;
}

const literal = (pattern: string) => pattern.split('/').filter((part) => part && !part.startsWith(':')).length;

export function matchRoute(routes: readonly RouteSpec[], path: string, platform: string): Match | undefined {
  const found = routes.flatMap((route): Match[] => {
    const params = matchPath(route.path, path);
    return params ? [{ route, params }] : [];
  });
  // The tab's own platform first, then the more exact address.
  return found.sort(
    (a, b) =>
      Number(b.route.platform === undefined || b.route.platform === platform) -
        Number(a.route.platform === undefined || a.route.platform === platform) || literal(b.route.path) - literal(a.route.path),
  )[0];
}

/** An address that a page names beside its own, by what its own says: `/approveTask/:taskType/list`. */
export const addressIn = (pattern: string | undefined, params: Readonly<Record<string, string>>): string | undefined =>
  pattern?.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
