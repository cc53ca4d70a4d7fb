import { isDeepStrictEqual } from 'node:util';
import type { Call } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { ChangeTarget } from '@mooring/contract/settings/change-request-calls';
import { changeRequestMachine } from '@mooring/contract/settings/state-machines';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { move, recordCreated, statefulTable } from '../../../platform/db/move.ts';
import { readSetting } from '../../../platform/settings.ts';
import { notify, withdrawNotifications } from '../../message/api.ts';
import { approversOf } from './approvers.ts';

export const changeRequests = statefulTable('settings_change_request', changeRequestMachine);
export const INPUT = 'change-request';
export const GROUP = '/sys/changeRequest';
export const CHANGES_LINK = '/system/settings?tab=changes';
/** Tells the messages of one request from those of others. */
const linkOf = (id: number): string => `${CHANGES_LINK}&request=${id}`;
const MESSAGES = '/message';
const WAITS_DAYS = 7;
const DAY = 86_400_000;

export interface Change {
  readonly call: Call;
  /** As the call's handler takes it. */
  readonly input: object;
  readonly target: ChangeTarget;
  readonly line?: { readonly id: number; readonly path: string };
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
export async function applyOrHold(ctx: Ctx, app: AppContext, db: Db, change: Change, apply: () => Promise<unknown>): Promise<Outcome> {
  if (ctx.approving !== undefined) await settleApproved(ctx, db, ctx.approving, change);
  else if ((await readSetting(db, 'dualControl')).enabled) return { changeRequestId: await hold(ctx, app, db, change) };
  await apply();
  return null;
}

/** In the transaction of the write, so that what is approved is in effect, once. */
async function settleApproved(ctx: Ctx, db: Db, id: number, change: Change): Promise<void> {
  const row = await db.selectFrom('settings_change_request').select('before').where('id', '=', id).executeTakeFirst();
  if (!isDeepStrictEqual(row?.before, plain(change.before))) throw new Fault('CHANGE_OUTDATED');
  await settle(ctx, db, 'approve', id);
}

/** Nobody is asked to decide on it any more. */
export const forgetAsked = (ctx: Pick<Ctx, 'invalidate'>, db: Db, id: number): Promise<void> =>
  withdrawNotifications(db, linkOf(id), (path) => ctx.invalidate(db, MESSAGES, path));

interface Decided {
  readonly remark?: string;
  /** Its own author sent another one: nobody decided. */
  readonly undecided?: boolean;
}
export async function settle(ctx: Ctx, db: Db, event: 'approve' | 'refuse' | 'withdraw', id: number, of: Decided = {}): Promise<void> {
  const { remark = '', undecided = false } = of;
  const { userId, userName } = ctx.actor;
  const by = undecided ? { decided_by: null, decided_by_name: null } : { decided_by: userId, decided_by_name: userName };
  const set = { ...by, decided_at: ctx.now(), remark, input_sealed: null };
  const moved = await move(db, changeRequests, event, [id], { actorId: userId, set });
  if (moved.length === 0) throw fault('OVERTAKEN');
  await forgetAsked(ctx, db, id);
  await ctx.invalidate(db, GROUP, '1.');
}

async function hold(ctx: Ctx, app: AppContext, db: Db, change: Change): Promise<number> {
  const { call, target, line, administrators = false } = change;
  const { userId, userName } = ctx.actor;
  const approvers = await approversOf(db, { call, except: userId, now: ctx.now(), path: line?.path, administrators });
  if (approvers.length === 0) throw new Fault('DUAL_NOBODY');
  await replaceEarlier(ctx, db, target, line?.id ?? null);
  const now = ctx.now();
  const { id } = await db
    .insertInto('settings_change_request')
    .values({
      target,
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
  await notify(db, {
    name: 'changeWaiting',
    params: { author: userName, settingKey: `change.target.${target}` },
    to: { users: approvers },
    deptPath: '1.',
    priority: '1',
    link: linkOf(id),
    channels: ['centre', 'email'],
  });
  await ctx.invalidate(db, GROUP, '1.');
  return id;
}

/** One setting has one change that waits: whoever sends another was told that it replaces the one before. */
async function replaceEarlier(ctx: Ctx, db: Db, target: ChangeTarget, lineId: number | null): Promise<void> {
  const earlier = await db
    .selectFrom('settings_change_request')
    .select(['id', 'author_id'])
    .where('state', '=', 'waiting')
    .where('target', '=', target)
    .where('line_id', lineId === null ? 'is' : '=', lineId)
    .execute();
  for (const { id, author_id } of earlier) {
    const own = author_id === ctx.actor.userId;
    await settle(ctx, db, 'withdraw', id, { undecided: own });
    if (own || author_id === null) continue;
    const params = { author: ctx.actor.userName, settingKey: `change.target.${target}` };
    await notify(db, {
      name: 'changeReplaced',
      params,
      to: { users: [author_id] },
      deptPath: '1.',
      link: CHANGES_LINK,
      channels: ['centre', 'email'],
    });
  }
}
