import type { TextKey } from '@mooring/contract/texts';
import type { DB } from '@mooring/database/tables';
import { type Insertable, type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Ctx, Db } from '../../platform/context.ts';
import { all } from '../../platform/db/criteria.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { job } from '../../platform/module.ts';

export const DELIVER = 'message:deliver';
const WITHDRAW = 'message:withdraw';
type Named<K> = K extends `message.say.${infer Name}.title` ? Name : never;
export type NotificationName = Named<TextKey>;

/**
 * Who hears of it: named people, everybody at or below some paths, or who may do something at or above a path. `apart`: the line of organisations
 * above this path hears nothing, but for the one itself that it is about.
 */
export type Target =
  | { readonly users: readonly number[] }
  | { readonly below: readonly string[] }
  | { readonly above: string; readonly can: string; readonly apart?: string };

export interface Notification {
  readonly name: NotificationName;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly to: Target;
  readonly deptPath: string;
  readonly priority?: '1' | '2' | '3';
  readonly type?: '1' | '3';
  readonly link?: string;
  readonly channels?: readonly ('centre' | 'popup' | 'email')[];
  /** Goes by mail to the alarm receivers of the installation too. */
  readonly alarm?: boolean;
}

type Written = Omit<Insertable<DB['message_message']>, 'target'>;
/** A message in the caller's transaction, handed out by a job after the commit. */
export async function writeMessage(db: Db, to: Target, message: Written, alarm = false): Promise<number> {
  const { id } = await db
    .insertInto('message_message')
    .values({ ...message, target: JSON.stringify(to) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await enqueue(db, DELIVER, { payload: { id, alarm } }, { key: `${DELIVER}:${id}`, maxAttempts: 5 });
  return id;
}

/** Says something to people, in words of the installation. */
export async function notify(db: Db, of: Notification): Promise<void> {
  const message = {
    type: of.type ?? '1',
    priority: of.priority ?? '2',
    text_key: of.name,
    params: JSON.stringify(of.params ?? {}),
    link: of.link ?? null,
    recipients: 'users' in of.to ? 'users' : 'organisation',
    channels: [...(of.channels ?? ['centre'])],
    dept_path: of.deptPath,
  };
  await writeMessage(db, of.to, message, of.alarm);
}

/** Of the messages that lead there: these ones, or those for the people of one path. */
interface Withdrawn {
  readonly names?: readonly NotificationName[];
  readonly deptPath?: string;
}
const leadingThere = (link: string, { names, deptPath }: Withdrawn) =>
  all(
    sql<boolean>`link = ${link}`,
    names === undefined ? undefined : sql<boolean>`text_key = any(${[...names]}::text[])`,
    deptPath === undefined ? undefined : sql<boolean>`dept_path = ${deptPath}`,
  );

type Invalidated = (path: string) => Promise<void>;
async function withdraw(db: Db, which: RawBuilder<boolean>, invalidated: Invalidated): Promise<void> {
  const { rows } = await sql<{ path: string }>`
    with over as (
      update message_message set people = coalesce(people, 0) where ${which} returning id
    ), gone as (
      delete from message_delivery d using over where d.message_id = over.id and d.status = '0' returning d.user_id
    )
    select distinct u.dept_path as path from gone join account_user u on u.id = gone.user_id limit 1000`.execute(db);
  for (const { path } of rows) await invalidated(path);
}

/** What these messages asked for is over: nobody has them unread any more, nor gets those that are still on their way. `db` is past the policy. */
export const withdrawNotifications = (db: Db, link: string, invalidated: Invalidated, which: Withdrawn = {}): Promise<void> =>
  withdraw(db, leadingThere(link, which), invalidated);

/**
 * The same of those that there are by now, with what is changed in the transaction of `db` and never without it: in a scope that doesn't show other
 * people's messages a job does it after the commit. What is said meanwhile stays.
 */
export async function withdrawAfter(ctx: Pick<Ctx, 'readOnly'>, db: Db, link: string, which: Withdrawn): Promise<void> {
  const { rows } = await ctx.readOnly((other) =>
    sql<{ id: number }>`select id from message_message where ${leadingThere(link, which)}`.execute(other),
  );
  if (rows.length > 0) await enqueue(db, WITHDRAW, { payload: { ids: rows.map(({ id }) => id) } });
}

/** Running again finds nothing more that is unread. */
export const withdrawJob = job({
  name: WITHDRAW,
  payload: z.object({ ids: z.array(z.int()) }),
  run: (ctx, { ids }) =>
    ctx.unscoped((db) => withdraw(db, sql<boolean>`id = any(${ids}::bigint[])`, (path) => ctx.invalidate(db, '/message', path))),
});
