import { Account } from '@mooring/contract/account/member-calls';
import { Fault } from '@mooring/contract/kit/fault';
import { Name } from '@mooring/contract/kit/schema';
import { Email } from '@mooring/contract/shared/patterns';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { t } from '../../platform/texts/translate.ts';
import { readCells, type SheetLine, type Wrong } from '../../platform/work/import-sheet.ts';
import { type Held, heldNow, roleName } from '../access/api.ts';
import { deptsByName } from '../org/api.ts';
import { checkPlacing } from './member-write.ts';

export const columns = {
  account: 'member.account',
  userName: 'member.userName',
  email: 'member.email',
  dept: 'member.dept',
  userType: 'member.userType',
  roles: 'member.roles',
} as const;
type Column = keyof typeof columns;
const Sheet = z.object({ account: Account, userName: Name, email: Email });

/** A row that shows how. */
export async function exampleOf(ctx: Ctx): Promise<string[]> {
  const own = await ctx.db.selectFrom('org_dept').select('name').where('dept_path', '=', ctx.scope.path).executeTakeFirst();
  return [
    'jane.doe',
    'Jane Doe',
    'jane.doe@example.com',
    own?.name ?? '',
    t(ctx.lang, 'member.userType.2'),
    t(ctx.lang, 'member.import.exampleRole'),
  ];
}

export interface SheetRow {
  readonly account: string;
  readonly userName: string;
  readonly email: string;
  readonly deptId: number;
  readonly userType: '1' | '2';
  readonly roleIds: number[];
}
const rolesOf = async (db: Db, lang: string) =>
  (await db.selectFrom('access_role').select(['id', 'name', 'dept_path']).orderBy('dept_path', 'desc').limit(5000).execute()).map(
    (row) => ({
      ...row,
      name: row.name.toLowerCase(),
      said: roleName(row.name, lang).toLowerCase(),
    }),
  );

/** Every row, or what is wrong with it: nothing is written here. */
export async function checkMembers(ctx: Ctx, lines: readonly SheetLine<Column>[]): Promise<{ rows: SheetRow[]; wrong: Wrong[] }> {
  return ctx.inTx(async (db) => {
    const wrong: Wrong[] = [];
    const rows: SheetRow[] = [];
    const held = await heldNow(ctx);
    const depts = await deptsByName(ctx, db, [...new Set(lines.map((line) => line.text.dept))]);
    const roles = await rolesOf(db, ctx.lang);
    const placings = new Map<string, string | undefined>();
    const seen = new Set<string>();
    for (const { number, text } of lines) {
      const bad: Wrong[] = [];
      const report = (column: Column, fault: string) => bad.push({ row: number, column, fault });
      bad.push(...readCells(Sheet, text, number).bad);
      for (const [column, key] of [
        ['account', text.account],
        ['email', text.email],
      ] as const) {
        const once = `${column}:${key.toLowerCase()}`;
        if (key !== '' && seen.has(once)) report(column, 'SHEET_TWICE');
        seen.add(once);
      }
      const dept = depts.get(text.dept.toLowerCase());
      if (dept === undefined) report('dept', 'NOT_FOUND');
      else if (dept === 'many') report('dept', 'SHEET_MANY');
      const userType = typeIn(text.userType);
      if (!userType) report('userType', 'BAD_INPUT');
      const named = text.roles
        .split(/[;；,，]/)
        .map((one) => one.trim().toLowerCase())
        .filter((one) => one !== '');
      const roleIds = named.flatMap((name) => roles.find((role) => role.name === name || role.said === name)?.id ?? []);
      if (named.length === 0 || roleIds.length < named.length) report('roles', 'NOT_FOUND');
      if (bad.length === 0 && dept && dept !== 'many' && userType) {
        const key = `${dept.id}:${[...roleIds].sort((a, b) => a - b).join()}`;
        if (!placings.has(key)) placings.set(key, await placing(ctx, db, held, dept.id, roleIds));
        const refused = placings.get(key);
        if (refused) report('roles', refused);
        else rows.push({ account: text.account, userName: text.userName, email: text.email, deptId: dept.id, userType, roleIds });
      }
      wrong.push(...bad);
    }
    wrong.push(
      ...(await takenAmong(
        ctx,
        lines.map(({ number, text }) => ({ number, account: text.account, email: text.email })),
      )),
    );
    return { rows, wrong };
  });
}

async function placing(ctx: Ctx, db: Db, held: Held, deptId: number, roleIds: number[]): Promise<string | undefined> {
  try {
    await checkPlacing(ctx, db, held, { deptId, roleIds });
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.fault;
    throw error;
  }
}

function typeIn(text: string): '1' | '2' | undefined {
  if (text === '1' || text === '2') return text;
  for (const type of ['1', '2'] as const)
    if (['en', 'zh-CN'].some((lang) => t(lang, `member.userType.${type}`).toLowerCase() === text.toLowerCase())) return type;
  return text === '' ? '2' : undefined;
}

/** Accounts and addresses are the installation's: those of people outside the scope are taken too. */
function takenAmong(ctx: Ctx, rows: readonly { number: number; account: string; email: string }[]): Promise<Wrong[]> {
  return ctx.unscoped(async (db) => {
    const found = await sql<{ account: string; email: string | null }>`
      select lower(account) as account, lower(email) as email from account_user
      where lower(account) = any(${rows.map((row) => row.account.toLowerCase())}::text[]) or lower(email) = any(${rows.map((row) => row.email.toLowerCase())}::text[])`.execute(
      db,
    );
    const accounts = new Set(found.rows.map((row) => row.account));
    const emails = new Set(found.rows.map((row) => row.email));
    return rows.flatMap((row) => [
      ...(accounts.has(row.account.toLowerCase()) ? [{ row: row.number, column: 'account', fault: 'ACCOUNT_TAKEN' }] : []),
      ...(row.email !== '' && emails.has(row.email.toLowerCase()) ? [{ row: row.number, column: 'email', fault: 'CONTACT_TAKEN' }] : []),
    ]);
  });
}
