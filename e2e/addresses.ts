import { declaredRoutes } from '../tools/declared/routes.ts';
import { sourceFiles } from '../tools/guards/source-files.ts';

export type Platform = 'centre' | 'manager';
export const platforms = ['centre', 'manager'] as const;

const routes = declaredRoutes(sourceFiles());

/** Every page of a platform behind the sign-in. `rows` fill in the patterns that show a row: one that they lack is a page that nobody looks at. */
export function addressesOf(platform: Platform, rows: Readonly<Record<string, readonly string[]>>): string[] {
  const at = (path: string): readonly string[] => {
    if (!path.includes(':')) return [path];
    const found = rows[path];
    if (!found) throw new Error(`every-row.ts makes no row for ${path}`);
    return found;
  };
  return [
    ...new Set(
      routes.filter((one) => one.permission !== 'public' && (one.platform ?? platform) === platform).flatMap(({ path }) => at(path)),
    ),
  ];
}

/** What a stranger reaches: the doors as they are declared, links that work no longer, and an address that leads nowhere. */
export const publicAddresses: readonly string[] = [
  ...routes
    .filter(({ permission }) => permission === 'public')
    .map(({ path }) => (path.includes(':') ? `${path.replaceAll(/:\w+/g, '1')}?sign=${'x'.repeat(32)}` : path)),
  '/reg?invite=a-code-that-nobody-has',
  '/dashboard?wall=1',
  '/no/such/page',
];
