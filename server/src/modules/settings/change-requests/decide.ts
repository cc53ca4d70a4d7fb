import type { Call } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import type { Route, Wire } from '../../../platform/module.ts';
import { actorOf, areOneHand, heldSince, weekBefore } from '../../access/api.ts';
import { notify } from '../../message/api.ts';
import { checkAdministrator, holdsEverything } from '../system-settings.ts';
import { authorLink, type ChangeHome, INPUT, isOfProfile, sayingOf, settle } from './hold.ts';
import { type ChangeRow, type LockSubjects, readChange, type Undone } from './read.ts';

/** Whose changes are decided on: the calls that make them, and how one is answered. */
export interface Deciding<S> {
  readonly home: ChangeHome;
  readonly routes: () => readonly Route[];
  readonly shown: (ctx: Ctx, row: ChangeRow) => S | Promise<S>;
  readonly undone?: Undone;
  readonly lockSubjects?: LockSubjects;
  /** Who decides, where that is another permission than the change's own. It waits for two people whatever the installation asks for. */
  readonly always?: Call['can'];
}

/** The call that would have made the change. Unless deciding is a permission of its own, whoever may not make it themselves decides nothing about it. */
async function routeFor<S>(of: Deciding<S>, ctx: Ctx, row: ChangeRow): Promise<Route> {
  const route = of.routes().find(({ call }) => call.dual && call.path === row.call);
  if (!route) throw new Fault('CHANGE_OUTDATED');
  if (!isAllowed(ctx.actor.permissions, of.always ?? route.call.can)) throw fault('FORBIDDEN');
  if (row.line_id === null) await checkAdministrator(ctx);
  return route;
}

async function openFor(ctx: Ctx, db: Db, id: number, home: ChangeHome): Promise<ChangeRow> {
  const row = await readChange(ctx, db, id, home);
  if (row.state !== 'waiting') throw fault('OVERTAKEN');
  if (row.author_id === ctx.actor.userId) throw new Fault('CHANGE_OWN');
  if (row.expires_at <= ctx.now()) throw new Fault('CHANGE_EXPIRED');
  return row;
}

/** As the log names what the change is about. */
const targetOf = (row: ChangeRow): string => {
  if (row.home !== 'signing') return settingOf(row);
  return `signing ${isOfProfile(row.target) ? 'profile' : 'key'} ${row.subject_name}`;
};
const settingOf = (row: ChangeRow): string =>
  row.line_id === null ? `setting ${row.target}` : `${row.target === 'loginPolicy' ? 'login' : 'password'} ${row.line_name ?? row.line_id}`;

async function notifyAuthor(db: Db, row: ChangeRow, said: 'Approved' | 'Refused', more: Record<string, string>): Promise<void> {
  if (row.author_id === null) return;
  const { name, params } = sayingOf(said, { target: row.target, subject: row.subject_name });
  await notify(db, {
    name,
    params: { ...more, ...params },
    to: { users: [row.author_id] },
    deptPath: '1.',
    link: authorLink(row.home, row.target),
    channels: ['centre', 'email'],
  });
}

const inputOf = (app: AppContext, call: Call, row: ChangeRow): unknown => {
  const sealed = row.input_sealed;
  const read = sealed && call.input.safeParse(JSON.parse(app.masterKey.open(INPUT, sealed).toString()));
  if (!read?.success) throw new Fault('CHANGE_OUTDATED');
  return read.data;
};

/** Decided on: nobody has anything to do with it any more. */
const show = async <S>({ home, shown }: Deciding<S>, ctx: Ctx, id: number): Promise<S> =>
  shown(ctx, await ctx.unscoped((db) => readChange(ctx, db, id, home)));

/** The same door, which says to whatever writes that this request is being approved. */
const approvingIn = (ctx: Ctx, approving: number): Ctx => ({
  ...ctx,
  approving,
  withScope: (work) => ctx.withScope((inner) => work(approvingIn(inner, approving))),
});

/** Runs the change's own call for the approver: its rules hold for both, since its author has passed them before. */
export const approveChange =
  <S>(app: AppContext, of: Deciding<S>) =>
  async (ctx: Ctx, { id }: { readonly id: number }, wire: Wire): Promise<S> => {
    const row = await ctx.unscoped((db) => openFor(ctx, db, id, of.home));
    const { call, handler } = await routeFor(of, ctx, row);
    const author = row.author_id === null ? undefined : await ctx.readOnly((db) => actorOf(db, row.author_id ?? 0));
    if (!author || !isAllowed(author.permissions, call.can)) throw new Fault('CHANGE_AUTHOR');
    if (row.line_id === null && !(author.deptPath === '1.' && (await ctx.readOnly(async (db) => holdsEverything(db, author.userId)))))
      throw new Fault('CHANGE_AUTHOR');
    const since = (db: Db) => (of.always === undefined ? heldSince(db, row.created_at) : weekBefore(row.created_at));
    if (await ctx.readOnly(async (db) => areOneHand(db, ctx.actor.userId, author.userId, await since(db))))
      throw new Fault('CHANGE_ONE_HAND');
    await handler(approvingIn(ctx, id), inputOf(app, call, row) as never, wire).catch(async (error: unknown) => {
      if (!(error instanceof Fault) || !['OVERTAKEN', 'CHANGE_OUTDATED'].includes(error.fault)) throw error;
      // It was decided on in the meantime: the setting isn't what is outdated.
      const now = await ctx.unscoped((db) => readChange(ctx, db, id, of.home));
      throw now.state === 'waiting' ? new Fault('CHANGE_OUTDATED') : fault('OVERTAKEN');
    });
    await ctx.unscoped(async (db) => {
      await notifyAuthor(db, row, 'Approved', { decider: ctx.actor.userName });
      // Open forms of the setting show what is in effect now.
      await ctx.invalidate(db, call.group, row.dept_path);
    });
    return show(of, ctx, id);
  };

export const refuseChange =
  <S>(of: Deciding<S>) =>
  async (ctx: Ctx, { id, remark }: { readonly id: number; readonly remark: string }): Promise<S> => {
    const row = await ctx.unscoped((db) => openFor(ctx, db, id, of.home));
    await routeFor(of, ctx, row);
    await ctx.unscoped(async (db) => {
      await of.lockSubjects?.(db, [row]);
      await settle(ctx, db, 'refuse', id, { remark });
      await of.undone?.(ctx, db, row);
      await notifyAuthor(db, row, 'Refused', { decider: ctx.actor.userName, remark });
      ctx.audit({ target: targetOf(row), after: { refused: id, author: row.author_name, remark } });
    });
    return show(of, ctx, id);
  };

export const withdrawChange =
  <S>(of: Deciding<S>) =>
  async (ctx: Ctx, { id }: { readonly id: number }): Promise<S> => {
    await ctx.unscoped(async (db) => {
      const row = await readChange(ctx, db, id, of.home);
      if (row.author_id !== ctx.actor.userId) throw fault('FORBIDDEN');
      await of.lockSubjects?.(db, [row]);
      await settle(ctx, db, 'withdraw', id, { undecided: true });
      await of.undone?.(ctx, db, row);
      ctx.audit({ target: targetOf(row), after: { withdrawn: id } });
    });
    return show(of, ctx, id);
  };
