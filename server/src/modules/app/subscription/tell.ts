import type { Ctx, Db } from '../../../platform/context.ts';
import type { RowIn } from '../../../platform/resource/resource.ts';
import { type NotificationName, notify } from '../../message/api.ts';

type Row = RowIn<'app_subscription'>;
const toOwner = {
  ask: 'subscriptionAsked',
  renew: 'subscriptionTermAsked',
  subscribe: 'subscriptionBegun',
  end: 'subscriptionEnded',
} as const;
const toSubscriber = {
  accept: 'subscriptionAccepted',
  refuse: 'subscriptionRefused',
  block: 'subscriptionBlocked',
  unblock: 'subscriptionUnblocked',
} as const;
type Step = keyof typeof toOwner | keyof typeof toSubscriber;
const isToOwner = (step: Step): step is keyof typeof toOwner => Object.hasOwn(toOwner, step);

const linkOf = (row: Row) => `/appSub/${row.id}/${row.app_key}/${row.dept_id}`;

/** The other side hears of each step. */
export async function tellSubscription(db: Db, row: Row, step: Step, comment: string): Promise<void> {
  const name: NotificationName = isToOwner(step) ? toOwner[step] : toSubscriber[step];
  const [path, other] = isToOwner(step) ? [row.owner_path, row.dept_path] : [row.dept_path, row.owner_path];
  await notify(db, {
    name,
    params: { app: row.app_name, org: isToOwner(step) ? row.dept_name : row.owner_name, comment },
    to: { above: path, can: isToOwner(step) ? 'app:sub:decide' : 'app:sub:add', apart: other },
    deptPath: path,
    link: linkOf(row),
    channels: ['centre', 'email'],
  });
}

type Term =
  | { readonly name: 'subscriptionEnds'; readonly days: number }
  | { readonly name: 'subscriptionTerm'; readonly until: string; readonly comment: string }
  | { readonly name: 'subscriptionEndless'; readonly comment: string };
/** Its subscriber hears of how long it holds. */
export const tellTerm = (db: Db, row: Row, { name, ...params }: Term): Promise<void> =>
  notify(db, {
    name,
    params: { app: row.app_name, org: row.owner_name, ...params },
    to: { above: row.dept_path, can: 'app:sub:add', apart: row.owner_path },
    deptPath: row.dept_path,
    priority: name === 'subscriptionEnds' ? '1' : '2',
    link: linkOf(row),
    channels: ['centre', 'email'],
  });

/** The owner hears that it ends too: another term is the owner's to set. */
export const tellOwnerOfEnd = (db: Db, row: Row, days: number): Promise<void> =>
  notify(db, {
    name: 'subscriptionEndsThere',
    params: { app: row.app_name, org: row.dept_name, days },
    to: { above: row.owner_path, can: 'app:sub:decide', apart: row.dept_path },
    deptPath: row.owner_path,
    link: linkOf(row),
    channels: ['centre', 'email'],
  });

/** Its owner hears of what people of other organisations, above it or in trust of it, do to a call-back; its own people know. */
export async function tellCallback(
  ctx: Ctx,
  db: Db,
  app: { readonly id: number; readonly name: string; readonly dept_path: string },
  name: Extract<NotificationName, `callback${string}`>,
  host: string,
): Promise<void> {
  if (ctx.actor.deptPath.startsWith(app.dept_path)) return;
  await notify(db, {
    name,
    params: { app: app.name, org: ctx.actor.deptName ?? '', by: ctx.actor.userName, host },
    to: { above: app.dept_path, can: 'app:sub:decide', apart: app.dept_path },
    deptPath: app.dept_path,
    link: `/app/detail/${app.id}?tab=callback`,
    channels: ['centre', 'email'],
  });
}
