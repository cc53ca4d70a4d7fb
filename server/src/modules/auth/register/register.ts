import type { RegisterKind } from '@mooring/contract/auth/register-calls';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { mail } from '../../../platform/mail/mail.ts';
import { addRegistered } from '../../account/api.ts';
import { notify } from '../../message/api.ts';
import { type Applied, applyDept, type Place } from '../../org/api.ts';
import { consumeCode } from '../codes.ts';
import { hashPassword } from '../password-hash.ts';
import { checkOpen, countBeforeSignIn, placeFor } from './before-sign-in.ts';
import { decidersOf } from './deciders.ts';
import { checkNewcomer, type Newcomer, orTaken, wrongCode } from './newcomer.ts';

interface Input extends Newcomer {
  readonly kind: RegisterKind;
  readonly email: string;
  readonly code: string;
  readonly placeId?: number;
  /** Which field of the call names the place. */
  readonly field: string;
  readonly dept?: Applied;
}

/** What decides about each way in, and where those who do look. */
export const decidedBy = {
  org: { can: 'org:dept:audit', link: '/sys/dept?tab=applications', group: '/sys/dept' },
  child: { can: 'org:dept:audit', link: '/sys/dept?tab=applications', group: '/sys/dept' },
  join: { can: 'access:member:audit||access:managerMember:audit', link: '/sys/member?state=joining', group: '/sys/user/member' },
  one: { can: 'access:member:audit||access:managerMember:audit', link: '/sys/member?state=joining', group: '/sys/user/member' },
} as const satisfies Record<RegisterKind, { can: string; link: string; group: string }>;

export async function notifyDeciders(
  db: Db,
  ctx: Ctx,
  kind: RegisterKind,
  place: { path: string },
  who: string,
  name: string,
): Promise<void> {
  const { can, link, group } = decidedBy[kind];
  await notify(db, {
    name: 'registered',
    params: { who, name },
    to: { users: await decidersOf(db, place.path, can) },
    deptPath: place.path,
    channels: ['centre', 'email'],
    link,
  });
  await ctx.invalidate(db, group, place.path);
}

async function write(db: Db, ctx: Ctx, input: Input, place: Place, passwordHash: string): Promise<{ id: number; kind: RegisterKind }> {
  const { kind, email } = input;
  const made =
    input.dept && (await applyDept(db, place, { ...input.dept, contactName: input.userName, contactEmail: email, state: 'applied' }));
  const user = await addRegistered(db, {
    account: input.account,
    name: input.userName,
    email,
    passwordHash,
    lang: ctx.lang,
    dept: made ?? place,
    userType: made ? '1' : '2',
    state: 'joining',
    roleIds: made ? 'orgManager' : [],
    given: { by: null, way: 'approval' },
  });
  const { id } = await db
    .insertInto('auth_registration')
    .values({ kind, user_id: user.id, decider_id: place.id, lang: ctx.lang })
    .returning('id')
    .executeTakeFirstOrThrow();
  await notifyDeciders(db, ctx, kind, place, input.userName, made?.name ?? input.userName);
  await mail(db, {
    to: email,
    lang: ctx.lang,
    template: 'regReceived',
    params: { decider: place.name, account: user.account },
    deptPath: (made ?? place).path,
    userId: user.id,
  });
  return { id, kind };
}

/** What says nothing about anybody comes first, then the code, which works once; what follows is one transaction. */
export async function register(app: AppContext, ctx: Ctx, input: Input): Promise<{ id: number; kind: RegisterKind }> {
  await countBeforeSignIn(ctx, 'regist');
  const place = await ctx.unscoped(async (db) => {
    await checkOpen(db, input.kind);
    const found = await placeFor(db, input.kind, input.placeId, input.field);
    await checkNewcomer(db, found.path, input, input.email);
    return found;
  });
  if (!(await ctx.unscoped((db) => consumeCode(db, app.masterKey, 'regist', input.email, input.code)))) throw wrongCode();
  const passwordHash = await hashPassword(input.password);
  const done = await orTaken(
    ctx.unscoped((db) => write(db, ctx, input, place, passwordHash)),
    wrongCode,
  );
  ctx.audit({ target: input.email, after: { registered: input.kind, at: place.name } });
  return done;
}
