import { createHash, randomBytes } from 'node:crypto';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { type DeptInvitation, deptInviteCalls, type JoinSettings } from '@mooring/contract/org/invite-calls';
import { deptInviteMachine } from '@mooring/contract/org/state-machines';
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
import { actorOf, checkFounding, heldNow, heldOf, reachOf } from '../access/api.ts';
import { ownerOf } from '../account/api.ts';
import { type Place, workingPlace } from './apply-dept.ts';
import { deptInScope } from './dept.queries.ts';

const rows = statefulTable('org_invite', deptInviteMachine);
/** Tells a code of an organisation from one of a person; both stand in the same link. */
const PREFIX = 'org-';
const hashOf = (code: string) => createHash('sha256').update(`dept-invite:${code}`).digest();

const select = (db: Db) =>
  db.selectFrom('org_invite as i').innerJoin('org_dept as o', 'o.id', 'i.dept_id').selectAll('i').select('o.name as parent_name');
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

const shownTo =
  (ctx: Ctx) =>
  (row: Row): z.input<typeof DeptInvitation> => ({
    id: row.id,
    email: row.email,
    name: row.name,
    parentId: row.dept_id,
    parentName: row.parent_name,
    state: row.state,
    invitedBy: row.invited_by_name,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    ...allowing(allowedActions(ctx, { withdraw: deptInviteCalls.withdraw }, { machine: deptInviteMachine, state: row.state })),
  });

export const pageDeptInvites: Handler<typeof deptInviteCalls.page> = (ctx, { criteria, page: wanted }) =>
  page(ctx.db, select(ctx.db).where(all(contains('i.email', criteria.text), exact('i.state', criteria.state))), {
    page: wanted,
    sorts: { createdAt: 'i.created_at', expiresAt: 'i.expires_at' },
    id: 'i.id',
    map: shownTo(ctx),
  });

const read = async (ctx: Ctx, id: number) => {
  const row = await select(ctx.db).where('i.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return shownTo(ctx)(row);
};

/** The code goes out in the mail and is nowhere else; an earlier open one of the same address opens nothing any more. */
export const inviteDept =
  (app: AppContext): Handler<typeof deptInviteCalls.add> =>
  async (ctx, input) => {
    const parent = await deptInScope(ctx, ctx.db, input.parentId);
    await checkFounding(ctx.db, await heldNow(ctx));
    if (!parent.open) throw new Fault('DEPT_SHUT');
    if (parent.kind !== 'businessUnit' && parent.kind !== 'organisation') throw new Fault('DEPT_PLACE');
    // Past the range policy: an address belongs to one person of the whole installation.
    if (await ctx.unscoped((db) => ownerOf(db, input.email)))
      throw new Fault('CONTACT_TAKEN', { fields: { email: 'fault.CONTACT_TAKEN' } });
    await move(ctx.db, rows, 'withdraw', sql`dept_id = ${parent.id} and lower(email) = ${input.email.toLowerCase()}`, {
      actorId: ctx.actor.userId,
    });
    const code = `${PREFIX}${randomBytes(32).toString('base64url')}`;
    const expires = new Date(ctx.now().getTime() + input.days * 86_400_000);
    const { id } = await ctx.db
      .insertInto('org_invite')
      .values({
        code_hash: hashOf(code),
        email: input.email,
        name: input.name,
        dept_id: parent.id,
        dept_path: parent.dept_path,
        invited_by: ctx.actor.userId,
        invited_by_name: ctx.actor.userName,
        expires_at: expires,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordCreated(ctx.db, rows, [id], ctx.actor.userId);
    await mail(ctx.db, {
      to: input.email,
      lang: ctx.lang,
      template: 'deptInvite',
      params: {
        inviter: ctx.actor.userName,
        dept: input.name,
        unit: parent.name,
        link: `${publicOrigin(app.config)}/reg?invite=${code}`,
        until: momentFor(expires, ctx.lang, ctx.timeZone),
      },
      sealWith: app.masterKey,
      deptPath: parent.dept_path,
    });
    ctx.audit({ target: input.name, after: input });
    return read(ctx, id);
  };

export const withdrawDeptInvite: Handler<typeof deptInviteCalls.withdraw> = async (ctx, { id }) => {
  const shown = await read(ctx, id);
  if ((await move(ctx.db, rows, 'withdraw', [id], { actorId: ctx.actor.userId })).length === 0) throw fault('OVERTAKEN');
  ctx.audit({ target: shown.name });
  return read(ctx, id);
};

export interface OpenDeptInvite {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly invitedBy: number;
  readonly inviter: string;
  readonly expiresAt: Date;
  readonly parent: Place;
}
/** An invitation gives what its inviter may give at this moment. */
async function isStillGiven(db: Db, invitedBy: number, parentId: number): Promise<boolean> {
  const inviter = await actorOf(db, invitedBy);
  if (!inviter?.permissions.has('org:dept:add') || (await reachOf(db, invitedBy, parentId)) === undefined) return false;
  return checkFounding(db, await heldOf(db, invitedBy)).then(
    () => true,
    () => false,
  );
}

/** What it offers whoever has its code; undefined where it is used, withdrawn, over, no longer given, or its unit is shut. */
export async function findDeptInvite(db: Db, code: string): Promise<OpenDeptInvite | undefined> {
  const row = await select(db)
    .where('i.code_hash', '=', hashOf(code))
    .where('i.state', '=', 'open')
    .where(sql<boolean>`i.expires_at > now()`)
    .executeTakeFirst();
  if (!row || !(await isStillGiven(db, row.invited_by, row.dept_id))) return undefined;
  const parent = await workingPlace(db, row.dept_id);
  return (
    parent && {
      id: row.id,
      email: row.email,
      name: row.name,
      invitedBy: row.invited_by,
      inviter: row.invited_by_name,
      expiresAt: row.expires_at,
      parent,
    }
  );
}
/** Uses it up for an organisation that was just written: of two at once one gets it. */
export const consumeDeptInvite = async (db: Db, id: number, userId: number, deptId: number): Promise<boolean> =>
  (await move(db, rows, 'use', sql`id = ${id} and expires_at > now()`, { actorId: userId, set: { used_dept: deptId } })).length > 0;

/** Running again finds none left. */
export const expireDeptInvites = job({
  name: 'org:expire-invites',
  payload: z.object({}),
  every: '*/10 * * * *',
  run: (ctx) => ctx.unscoped(async (db) => void (await move(db, rows, 'expire', sql`expires_at <= ${ctx.now()}`))),
});

async function joinSettingsOf(ctx: Ctx, id: number): Promise<z.input<typeof JoinSettings>> {
  await deptInScope(ctx, ctx.db, id);
  const { rows: found } = await sql<{ joinable: boolean; join_code: string }>`
    select coalesce(joinable, kind = 'businessUnit') as joinable, join_code from org_dept where id = ${id}`.execute(ctx.db);
  return { id, joinable: found[0]?.joinable ?? false, joinCode: found[0]?.join_code ?? '' };
}
export const readJoinSettings: Handler<typeof deptInviteCalls.door> = (ctx, { id }) => joinSettingsOf(ctx, id);

export const setDoor: Handler<typeof deptInviteCalls.setDoor> = async (ctx, { id, joinable }) => {
  const dept = await deptInScope(ctx, ctx.db, id);
  const before = await joinSettingsOf(ctx, id);
  await ctx.db.updateTable('org_dept').set({ joinable }).where('id', '=', id).execute();
  ctx.audit({ target: dept.name, before, after: { joinable } });
  return joinSettingsOf(ctx, id);
};
