import { isCode, type SourceFile } from './source-files.ts';

/** Where rights are kept, and the only files that write there: each asks first what its giver holds. */
const written: readonly { readonly table: string; readonly by: string }[] = [
  { table: 'access_user_role', by: 'server/src/modules/access/grants.ts' },
  { table: 'access_managed_dept', by: 'server/src/modules/access/grants.ts' },
  { table: 'org_trust', by: 'server/src/modules/org/trust.ts' },
  { table: 'account_api_token', by: 'server/src/modules/account/api-tokens.ts' },
];
const isFree = (path: string) => /\.(test|factory)\.ts$/.test(path) || !path.startsWith('server/src/');

/** Rights that are given past the place that asks whether they may be. Taking them away is no grant, nor is noting a use. */
export const pastTheGrants = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => isCode(path) && !isFree(path))
    .flatMap(({ path, text }) =>
      written
        .filter(
          ({ table, by }) => path !== by && new RegExp(`insertInto\\(\\s*['"]${table}['"]|insert\\s+into\\s+${table}\\b`, 'i').test(text),
        )
        .map(({ table, by }) => `${path} writes ${table}: rights are given in ${by}`),
    );
