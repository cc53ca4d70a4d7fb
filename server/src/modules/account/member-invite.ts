import { createHash, randomBytes } from 'node:crypto';
import { type Invitation, inviteCalls } from '@mooring/contract/account/member-calls';
import { inviteMachine } from '@mooring/contract/account/state-machines';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { z } from 'zod';
import { allowedActions, allowing } from '../../platform/allowed-actions.ts';
import type { AppContext } from '../../platform/app-context.ts';
import { publicOrigin } from '../../platform/config/public-origin.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, contains, exact } from '../../platform/db/criteria.ts';
import { move, recordCreated, statefulTable } from '../../platform/db/move.ts';
import { page } from '../../platform/db/page.ts';
import { mail } from '../../platform/mail/mail.ts';
import { type Handler, job } from '../../platform/module.ts';
import { momentFor } from '../../platform/texts/moment.ts';
import { actorOf, heldNow, reachOf, roleName, stillGiven } from '../access/api.ts';
import { checkPlacing } from './member-write.ts';

const inviteRows = statefulTable('account_invite', inviteMachine);
const hashOf = (code: string) => createHash('sha256').update(`invite:${code}`).digest();

const selectInvites = (db: Db) =>
  db
    .selectFrom('account_invite as i')
    .innerJoin('org_dept as o', 'o.id', 'i.dept_id')
    .selectAll('i')
    .select(['o.name as dept_name', 'o.kind as dept_kind'])
    .select(
      sql<
        { id: number; name: string }[]
      >`coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.name) from access_role r where r.id = any(i.role_ids)), '[]')`.as(
        'roles',
      ),
    );
type Row = Awaited<ReturnType<ReturnType<typeof selectInvites>['executeTakeFirstOrThrow']>>;

const invitationOf =
  (ctx: Ctx) =>
  (row: Row): z.input<typeof Invitation> => ({
    id: row.id,
    email: row.email,
    deptId: row.dept_id,
    deptName: row.dept_name,
    userType: row.user_type as '1',
    roles: row.roles.map((one) => ({ ...one, name: roleName(one.name, ctx.lang) })),
    state: row.state,
    invitedBy: row.invited_by_name,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    ...allowing(allowedActions(ctx, { withdraw: inviteCalls.withdraw }, { machine: inviteMachine, state: row.state })),
  });

export const pageInvites: Handler<typeof inviteCalls.page> = (ctx, { criteria, page: wanted }) =>
  page(ctx.db, selectInvites(ctx.db).where(all(contains('i.email', criteria.text), exact('i.state', criteria.state))), {
    page: wanted,
    sorts: { createdAt: 'i.created_at', expiresAt: 'i.expires_at' },
    id: 'i.id',
    map: invitationOf(ctx),
  });

const readInvitation = async (ctx: Ctx, id: number) => {
  const row = await selectInvites(ctx.db).where('i.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return invitationOf(ctx)(row);
};

/** The code goes out in the mail and is nowhere else; an earlier open invitation of the same address opens nothing any more. */
export const inviteMember =
  (app: AppContext): Handler<typeof inviteCalls.add> =>
  async (ctx, input) => {
    const place = await checkPlacing(ctx, ctx.db, await heldNow(ctx), input);
    const known = await ctx.unscoped((db) =>
      db.selectFrom('account_user').select('id').where(sql`lower(email)`, '=', input.email.toLowerCase()).executeTakeFirst(),
    );
    if (known) throw new Fault('CONTACT_TAKEN', { fields: { email: 'fault.CONTACT_TAKEN' } });
    await move(ctx.db, inviteRows, 'withdraw', sql`dept_id = ${place.id} and lower(email) = ${input.email.toLowerCase()}`, {
      actorId: ctx.actor.userId,
    });
    const code = randomBytes(32).toString('base64url');
    const expires = new Date(ctx.now().getTime() + input.days * 86_400_000);
    const { id } = await ctx.db
      .insertInto('account_invite')
      .values({
        code_hash: hashOf(code),
        email: input.email,
        user_type: input.userType,
        role_ids: [...new Set(input.roleIds)],
        dept_id: place.id,
        dept_path: place.path,
        invited_by: ctx.actor.userId,
        invited_by_name: ctx.actor.userName,
        expires_at: expires,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordCreated(ctx.db, inviteRows, [id], ctx.actor.userId);
    const shown = await readInvitation(ctx, id);
    await mail(ctx.db, {
      to: input.email,
      lang: ctx.lang,
      template: 'invite',
      params: {
        by: ctx.actor.userName,
        org: shown.deptName,
        link: `${publicOrigin(app.config)}/reg?invite=${code}`,
        until: momentFor(expires, ctx.lang, ctx.timeZone),
      },
      sealWith: app.masterKey,
      deptPath: place.path,
    });
    ctx.audit({ target: input.email, after: input });
    return shown;
  };

export const withdrawInvite: Handler<typeof inviteCalls.withdraw> = async (ctx, { id }) => {
  const shown = await readInvitation(ctx, id);
  if ((await move(ctx.db, inviteRows, 'withdraw', [id], { actorId: ctx.actor.userId })).length === 0) throw fault('OVERTAKEN');
  ctx.audit({ target: shown.email });
  return readInvitation(ctx, id);
};

export interface OpenInvite {
  readonly id: number;
  readonly email: string;
  readonly userType: '1' | '2';
  readonly inviter: number;
  readonly invitedBy: string;
  readonly expiresAt: Date;
  readonly roles: readonly string[];
  readonly roleIds: readonly number[];
  readonly dept: { readonly id: number; readonly path: string; readonly name: string };
}
/** An invitation gives what its inviter may give at this moment, all of it or nothing. */
async function isStillGiven(
  db: Db,
  row: { invited_by: number; role_ids: readonly unknown[]; dept_id: number; dept_path: string; dept_kind: string },
) {
  const inviter = await actorOf(db, row.invited_by);
  if (!inviter || !['member', 'managerMember'].some((page) => inviter.permissions.has(`access:${page}:add`))) return false;
  if ((await reachOf(db, row.invited_by, row.dept_id)) === undefined) return false;
  const wanted = new Set(row.role_ids.map(Number));
  return (await stillGiven(db, row.invited_by, [...wanted], { path: row.dept_path, kind: row.dept_kind })).length === wanted.size;
}

/** What an invitation offers whoever has its code; undefined where it is used, withdrawn, over, no longer given, or its organisation is shut. */
export async function findInvite(db: Db, code: string): Promise<OpenInvite | undefined> {
  const row = await selectInvites(db)
    .where('i.code_hash', '=', hashOf(code))
    .where('i.state', '=', 'open')
    .where(sql<boolean>`i.expires_at > now() and is_dept_open(i.dept_path)`)
    .executeTakeFirst();
  if (!row || !(await isStillGiven(db, row))) return undefined;
  return {
    id: row.id,
    email: row.email,
    userType: row.user_type as '1',
    inviter: row.invited_by,
    invitedBy: row.invited_by_name,
    expiresAt: row.expires_at,
    roles: row.roles.map((role) => role.name),
    roleIds: row.role_ids.map(Number),
    dept: { id: row.dept_id, path: row.dept_path, name: row.dept_name },
  };
}
/** Uses it up for a person who was just written: of two at once one gets it. */
export const consumeInvite = async (db: Db, id: number, userId: number): Promise<boolean> =>
  (await move(db, inviteRows, 'use', sql`id = ${id} and expires_at > now()`, { actorId: userId, set: { used_by: userId } })).length > 0;

export const expireInvites = job({
  name: 'account:expire-invites',
  payload: z.object({}),
  every: '*/10 * * * *',
  run: (ctx) => ctx.unscoped(async (db) => void (await move(db, inviteRows, 'expire', sql`expires_at <= ${ctx.now()}`))),
});
