import { isCode, type SourceFile } from './source-files.ts';

/**
 * Where rights are kept, and the only files that write there: each asks first what its giver holds, or gives nothing (the reason beside
 * it). `columns` are those that say what somebody may, where a row says much else; the row itself is made in the same files.
 */
interface Kept {
  readonly table: string;
  readonly columns?: readonly string[];
  readonly by: readonly string[];
}
const access = 'server/src/modules/access';
const account = 'server/src/modules/account';
const org = 'server/src/modules/org';
const kept: readonly Kept[] = [
  { table: 'access_user_role', by: [`${access}/grants.ts`] },
  { table: 'access_managed_dept', by: [`${access}/grants.ts`] },
  // What the product brings is seeded; a merge renames one of two with the same name.
  { table: 'access_role', by: [`${access}/change-role.ts`, `${access}/seed-roles.ts`, `${org}/regroup.ts`] },
  { table: 'account_identity', by: ['server/src/modules/auth/sso/person.ts'] },
  { table: 'org_trust', by: [`${org}/trust.ts`] },
  // Whoever is asked by a token notes its use.
  { table: 'account_api_token', by: [`${account}/api-tokens.ts`, `${account}/identify-token.ts`] },
  {
    table: 'account_user',
    columns: ['user_type', 'dept_id', 'dept_path'],
    by: [`${account}/add-user.ts`, `${account}/registered.ts`, `${account}/member-write.ts`, `${account}/member-join.ts`],
  },
];
const isFree = (path: string) => /\.(test|factory)\.ts$/.test(path) || !path.startsWith('server/src/');

const inserts = (table: string) =>
  new RegExp(`(?:insertInto|mergeInto|replaceInto)\\(\\s*['"\`]${table}\\b|(?:insert|merge)\\s+into\\s+(?:public\\.)?"?${table}\\b`, 'i');
/** A resource writes its rows by the name of its table. */
const updates = (table: string) =>
  new RegExp(
    `updateTable\\(\\s*['"\`]${table}\\b|\\bupdate\\s+(?:only\\s+)?(?:public\\.)?"?${table}\\b|\\btable:\\s*['"\`]${table}['"\`]`,
    'i',
  );

/** What follows an update up to its end, without what chooses its rows. */
const setsOf = (table: string, text: string): string[] => {
  const builder = new RegExp(`updateTable\\(\\s*['"\`]${table}\\b[^;]*`, 'gi');
  const statement = new RegExp(`\\bupdate\\s+(?:only\\s+)?(?:public\\.)?"?${table}\\b(?:(?!\\bwhere\\b|\`)[^])*`, 'gi');
  return [...text.matchAll(builder), ...text.matchAll(statement)].map(([found]) => found.replace(/\.where\([^)]*\)/g, ''));
};
/** Moves of a person's lifecycle set columns beside the state. */
const movesPeople = /\bmove\(\s*\w+(?:\.\w+)?,\s*userRows\b/;

function writes({ table, columns }: Kept, text: string): boolean {
  if (inserts(table).test(text)) return true;
  if (!columns) return updates(table).test(text);
  const named = new RegExp(`\\b(?:${columns.join('|')})['"]?\\s*[:=,]`);
  return (
    setsOf(table, text).some((set) => named.test(set)) || (movesPeople.test(text) && new RegExp(`\\b(?:${columns.join('|')}):`).test(text))
  );
}

/** Rights that are given past the place that asks whether they may be. Taking them away is no grant. */
export const pastTheGrants = (files: readonly SourceFile[]): string[] =>
  files
    .filter(({ path }) => isCode(path) && !isFree(path))
    .flatMap(({ path, text }) =>
      kept
        .filter((one) => !one.by.includes(path) && writes(one, text))
        .map(({ table, by }) => `${path} writes ${table}: rights are given in ${by.join(', ')}`),
    );
