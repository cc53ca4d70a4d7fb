import { type Member, memberCalls } from '@mooring/contract/account/member-calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { exporter } from '../../platform/work/exporter.ts';
import { heldNow } from '../access/api.ts';
import { findMember, type MemberRow, memberConditions, membersOf, selectMembers, showMember } from './member.queries.ts';

export const pageMembers: Handler<typeof memberCalls.page> = async (ctx, { criteria, page: wanted }) => {
  const held = await heldNow(ctx);
  const query = selectMembers(ctx.db).where(await memberConditions(ctx.db, held, criteria));
  const found = await page(ctx.db, query, {
    page: wanted,
    sorts: { createdAt: 'u.created_at', account: 'u.account', userName: 'u.name' },
    id: 'u.id',
    map: (row: MemberRow) => row,
  });
  return { ...found, content: await membersOf(ctx, ctx.db, held, found.content) };
};

export const memberDetail: Handler<typeof memberCalls.detail> = async (ctx, { id }) => {
  const { row } = await findMember(ctx, ctx.db, id);
  const managed = await ctx.db
    .selectFrom('access_managed_dept as m')
    .innerJoin('org_dept as o', 'o.id', 'm.dept_id')
    .select(['o.id', 'o.name'])
    .where('m.user_id', '=', id)
    .orderBy('o.name')
    .execute();
  const open = await ctx.unscoped((db) =>
    sql<{
      n: number;
    }>`select count(*)::int as n from auth_session where user_id = ${id} and ended_at is null and expires_at > now()`.execute(db),
  );
  return { ...(await showMember(ctx, ctx.db, id)), mobile: row.mobile, managed, openSessions: open.rows[0]?.n ?? 0 };
};

interface SignInRow {
  id: number;
  platform: 'centre' | 'manager';
  ip: string;
  agent: string;
  createdAt: Date;
  seenAt: Date;
  endedAt: Date | null;
}
/** Sessions are closed to persons' transactions; that the member is in reach is asked before. */
export const signInsOfMember: Handler<typeof memberCalls.signIns> = async (ctx, { id }) => {
  await findMember(ctx, ctx.db, id);
  const { rows } = await ctx.readOnly((db) =>
    sql<SignInRow>`select id, platform, ip, user_agent as agent, created_at as "createdAt", seen_at as "seenAt",
        case when ended_at is not null then ended_at when expires_at <= now() then expires_at end as "endedAt"
      from auth_session where user_id = ${id} order by id desc limit 50`.execute(db),
  );
  return rows;
};

export const countJoining = async (db: Db, ctx: Ctx): Promise<number> => {
  const { path } = ctx.scope;
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::int as n from account_user u join org_dept o on o.id = u.dept_id
    where u.state = 'joining' and o.state not in ('applied', 'refused') and u.dept_path >= ${path} and u.dept_path < ${`${path}~`}`.execute(
    db,
  );
  return rows[0]?.n ?? 0;
};

type Row = z.input<typeof Member>;
const day = (at: Row['createdAt'] | null) => (at === null ? null : new Date(at));
export const memberExporter = exporter<Row>({
  name: 'member',
  title: 'work.export.member',
  can: memberCalls.export.can,
  sort: 'account',
  page: pageMembers as never,
  columns: {
    account: { title: 'member.account', cell: (row) => row.account },
    userName: { title: 'member.userName', cell: (row) => row.userName },
    email: { title: 'member.email', cell: (row) => row.email },
    deptName: { title: 'member.dept', cell: (row) => row.deptName },
    userType: { title: 'member.userType', cell: (row, lang) => t(lang, `member.userType.${row.userType}`) },
    roles: { title: 'member.roles', cell: (row) => row.roles.map((one) => one.name).join('; ') },
    state: { title: 'member.state', cell: (row, lang) => t(lang, `life.user.${stateNames[row.state] ?? row.state}`) },
    mfaBound: { title: 'member.mfaBound', cell: (row) => row.mfaBound },
    lastLoginAt: { title: 'member.lastLoginAt', cell: (row) => day(row.lastLoginAt) },
    createdAt: { title: 'member.createdAt', cell: (row) => day(row.createdAt) },
  },
});
const stateNames: Readonly<Record<string, string>> = { '0': 'enabled', '1': 'disabled' };
