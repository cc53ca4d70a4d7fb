import { isDeepStrictEqual } from 'node:util';
import type { Call, Platform } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { type ChangeTarget, MOST_WAITING } from '@mooring/contract/settings/change-request-calls';
import { changeRequestMachine } from '@mooring/contract/settings/state-machines';
import type { signingChanges } from '@mooring/contract/signing/change-calls';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { lockSet } from '../../../platform/db/lock-set.ts';
import { move, recordCreated, statefulTable } from '../../../platform/db/move.ts';
import { readSetting } from '../../../platform/settings.ts';
import { notify, withdrawNotifications } from '../../message/api.ts';
import { approversOf } from './approvers.ts';

export const changeRequests = statefulTable('settings_change_request', changeRequestMachine);
export const INPUT = 'change-request';
/** Whose changes they are: where people decide on them, and which list shows them. */
const homes = {
  settings: { link: '/system/settings?tab=changes', group: '/sys/changeRequest' },
  signing: { link: '/keyStoreAdd?tab=changes', group: '/api/keystore/change' },
} as const;
export type ChangeHome = keyof typeof homes;
export const homeOf = (home: string) => homes[home as ChangeHome] ?? homes.settings;
type Said = 'Waiting' | 'Approved' | 'Refused' | 'Replaced' | 'Expired';
export const isOfProfile = (target: string): boolean => target.startsWith('profile');
const sayer = (target: string, subject: string) => (isOfProfile(target) ? 'profileChange' : subject === '' ? 'change' : 'keyChange');
/** What is said of a request: which key or profile it is of, where it is of one. */
export const sayingOf = (said: Said, { target, subject }: { readonly target: string; readonly subject: string }) => ({
  name: `${sayer(target, subject)}${said}` as const,
  params: { settingKey: `change.target.${target}`, ...(subject === '' ? {} : { subject }) },
});
/** Where its author finds it: who asks for profiles needn't see keys. */
export const authorLink = (home: string, target: string): string => (isOfProfile(target) ? '/apkTool?tab=changes' : homeOf(home).link);
/** Tells the messages of one request from those of others. */
const linkOf = (home: string, id: number): string => `${homeOf(home).link}&request=${id}`;
const MESSAGES = '/message';
const WAITS_DAYS = 7;
const DAY = 86_400_000;

export interface Change {
  readonly call: Call;
  /** As the call's handler takes it. */
  readonly input: object;
  readonly target: ChangeTarget | (typeof signingChanges)[number];
  /** The product line of a policy, the organisation of a key. */
  readonly line?: { readonly id: number; readonly path: string };
  /** Waits for a second person whatever the installation asks for; who could be that one holds the permission on this platform. */
  readonly always?: { readonly home: ChangeHome; readonly can: Call['can']; readonly platform: Platform };
  /** Which row, where several of one kind wait beside each other; without an id where it isn't there yet. */
  readonly subject?: { readonly id: number | null; readonly name: string };
  readonly before: object;
  readonly after: object;
  /** Secrets that it sets; their values stand neither in `before` nor in `after`. */
  readonly secrets?: readonly string[];
  /** Only platform administrators may make it. */
  readonly administrators?: boolean;
}
type Outcome = { readonly changeRequestId: number } | null;

/** As the database gives it back. */
const plain = (value: object): object => JSON.parse(JSON.stringify(value)) as object;

/**
 * Carries out a change that decides who may sign in, or keeps it until somebody else approves it where the installation asks for dual
 * control. Called in the transaction that would write it, when all else is checked. Faults: DUAL_NOBODY, OVERTAKEN, CHANGE_OUTDATED.
 */
export async function applyOrHold(
  ctx: Ctx,
  app: AppContext,
  db: Db,
  change: Change,
  apply: (read?: unknown) => Promise<unknown>,
): Promise<Outcome> {
  if (ctx.approving === undefined && (change.always || (await readSetting(db, 'dualControl')).enabled))
    return { changeRequestId: await hold(ctx, app, db, change) };
  await apply(ctx.approving === undefined ? undefined : await settleApproved(ctx, db, ctx.approving, change));
  return null;
}

/** In the transaction of the write, so that what is approved is in effect, once. Answers what its approver read that it would be. */
async function settleApproved(ctx: Ctx, db: Db, id: number, change: Change): Promise<unknown> {
  const row = await db.selectFrom('settings_change_request').select(['before', 'after']).where('id', '=', id).executeTakeFirst();
  if (!isDeepStrictEqual(row?.before, plain(change.before))) throw new Fault('CHANGE_OUTDATED');
  await settle(ctx, db, 'approve', id);
  return row?.after;
}

/** Nobody is asked to decide on it any more. */
export const forgetAsked = (ctx: Pick<Ctx, 'invalidate'>, db: Db, home: string, id: number): Promise<void> =>
  withdrawNotifications(db, linkOf(home, id), (path) => ctx.invalidate(db, MESSAGES, path));

interface Decided {
  readonly remark?: string;
  /** Its own author sent another one: nobody decided. */
  readonly undecided?: boolean;
}
export async function settle(ctx: Ctx, db: Db, event: 'approve' | 'refuse' | 'withdraw', id: number, of: Decided = {}): Promise<void> {
  const { remark = '', undecided = false } = of;
  const { userId, userName } = ctx.actor;
  const by = undecided ? { decided_by: null, decided_by_name: null } : { decided_by: userId || null, decided_by_name: userName };
  const set = { ...by, decided_at: ctx.now(), remark, input_sealed: null };
  const moved = await move(db, changeRequests, event, [id], { actorId: userId || null, set });
  if (moved.length === 0) throw fault('OVERTAKEN');
  const row = await db.selectFrom('settings_change_request').select(['home', 'dept_path']).where('id', '=', id).executeTakeFirstOrThrow();
  await forgetAsked(ctx, db, row.home, id);
  await ctx.invalidate(db, homeOf(row.home).group, row.home === 'settings' ? '1.' : row.dept_path);
}

async function hold(ctx: Ctx, app: AppContext, db: Db, change: Change): Promise<number> {
  const { call, target, line, subject, always, administrators = false } = change;
  const home = always?.home ?? 'settings';
  const { userId, userName } = ctx.actor;
  const asked = { can: always?.can ?? call.can, platform: always?.platform ?? ('manager' as const) };
  const approvers = await approversOf(db, {
    ...asked,
    except: userId,
    now: ctx.now(),
    path: line?.path,
    administrators,
    always: always !== undefined,
  });
  if (approvers.length === 0) throw new Fault('DUAL_NOBODY');
  await replaceEarlier(ctx, db, change);
  if (always) await checkRoom(db, userId);
  const now = ctx.now();
  const { id } = await db
    .insertInto('settings_change_request')
    .values({
      target,
      home,
      subject_id: subject?.id ?? null,
      subject_name: subject?.name ?? '',
      line_id: line?.id ?? null,
      call: call.path,
      input_sealed: app.masterKey.seal(INPUT, Buffer.from(JSON.stringify(change.input))),
      before: JSON.stringify(change.before),
      after: JSON.stringify(change.after),
      secrets: [...(change.secrets ?? [])],
      author_id: userId,
      author_name: userName,
      created_at: now,
      expires_at: new Date(now.getTime() + WAITS_DAYS * DAY),
      dept_path: line?.path ?? '1.',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordCreated(db, changeRequests, [id], userId);
  const { name, params } = sayingOf('Waiting', { target, subject: subject?.name ?? '' });
  await notify(db, {
    name,
    params: { author: userName, ...params },
    to: { users: approvers },
    deptPath: '1.',
    priority: '1',
    link: linkOf(home, id),
    channels: ['centre', 'email'],
  });
  await ctx.invalidate(db, homeOf(home).group, home === 'settings' ? '1.' : (line?.path ?? '1.'));
  return id;
}

/** Names of rows that aren't there yet are as many as somebody makes up. Fault: CHANGES_MANY. */
async function checkRoom(db: Db, authorId: number): Promise<void> {
  await lockSet(db, `change requests of ${authorId}`);
  const { count } = await db
    .selectFrom('settings_change_request')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('author_id', '=', authorId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST_WAITING) throw new Fault('CHANGES_MANY');
}

/** One setting has one change that waits: whoever sends another was told that it replaces the one before. */
async function replaceEarlier(ctx: Ctx, db: Db, { target, line, subject, always }: Change): Promise<void> {
  const lineId = line?.id ?? null;
  const earlier = await db
    .selectFrom('settings_change_request')
    .select(['id', 'author_id'])
    .where('state', '=', 'waiting')
    .where('target', '=', target)
    // The organisation of a row may be another one by now.
    .where((eb) =>
      typeof subject?.id === 'number'
        ? eb('subject_id', '=', subject.id)
        : eb.and([
            eb('subject_id', 'is', null),
            eb('line_id', lineId === null ? 'is' : '=', lineId),
            eb('subject_name', '=', subject?.name ?? ''),
          ]),
    )
    .execute();
  for (const { id, author_id } of earlier) {
    const own = author_id === ctx.actor.userId;
    await settle(ctx, db, 'withdraw', id, { undecided: own });
    if (own || author_id === null) continue;
    const { name, params } = sayingOf('Replaced', { target, subject: subject?.name ?? '' });
    await notify(db, {
      name,
      params: { author: ctx.actor.userName, ...params },
      to: { users: [author_id] },
      deptPath: '1.',
      link: authorLink(always?.home ?? 'settings', target),
      channels: ['centre', 'email'],
    });
  }
}
