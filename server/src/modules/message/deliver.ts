import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import { originForMail } from '../../platform/config/public-origin.ts';
import type { Db } from '../../platform/context.ts';
import { inBatches } from '../../platform/db/delete-old.ts';
import { invalidatePaths } from '../../platform/live/invalidate-paths.ts';
import { mail } from '../../platform/mail/mail.ts';
import { job } from '../../platform/module.ts';
import { pathsAbove } from '../../platform/paths-above.ts';
import { readSetting } from '../../platform/settings.ts';
import { mayDo } from '../access/api.ts';
import { DELIVER, type Target } from './notify.ts';
import { wordsOf } from './words.ts';

const MAILS = 500;

/** The people of a target, as a condition on account_user `u`. Who may not sign in is left out. */
function peopleOf(target: Target) {
  if ('users' in target) return sql`u.id = any(${[...target.users]}::bigint[])`;
  if ('below' in target)
    return sql`(${sql.join(
      target.below.map((path) => sql`(u.dept_path >= ${path} and u.dept_path < ${`${path}~`})`),
      sql` or `,
    )})`;
  const apart = target.apart === undefined ? [] : pathsAbove(target.apart);
  const line = pathsAbove(target.above).filter((path) => path === target.above || !apart.includes(path));
  return sql`u.dept_path = any(${line}::text[]) and ${mayDo(target.can)}`;
}

/** Hands a message out. Running again finds each person's row there and sends no second mail. */
async function deliver(app: AppContext, id: number, alarm: boolean): Promise<void> {
  await app.unscoped(async (db) => {
    const message = await db.selectFrom('message_message').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
    if (!message || message.people !== null) return;
    const target = message.target as unknown as Target;
    const given = await sql<{ user_id: number }>`
      insert into message_delivery (message_id, user_id, popup)
      select ${id}, u.id, ${message.channels.includes('popup')} from account_user u where u.state = '0' and ${peopleOf(target)}
      on conflict (message_id, user_id) do nothing returning user_id`.execute(db);
    await db.updateTable('message_message').set({ people: given.rows.length }).where('id', '=', id).execute();
    const ids = given.rows.map((row) => row.user_id);
    const mailed = { ...message, page: pageOf(app, message.link) };
    if (message.channels.includes('email')) await mailTo(db, mailed, ids);
    if (alarm) await mailAlarm(db, mailed);
    await invalidatePaths(db, app, '/message', await pathsOf(db, ids));
  });
}

async function pathsOf(db: Db, ids: readonly number[]): Promise<string[]> {
  const rows = await db
    .selectFrom('account_user')
    .select('dept_path')
    .distinct()
    .where('id', 'in', ids.length > 0 ? [...ids] : [0])
    .limit(1000)
    .execute();
  return rows.map((row) => row.dept_path);
}

/** The address of what it is about; none where nobody has said how people reach the console. */
function pageOf({ config }: AppContext, link: string | null): string {
  const origin = originForMail(config);
  return link === null || origin === undefined ? '' : new URL(link, origin).href;
}

type Message = Parameters<typeof wordsOf>[0] & { readonly dept_path: string; readonly page?: string };
/** What it says, and then where. */
function mailWords(message: Message, lang: string): { title: string; text: string; page: string } {
  const { page = '' } = message;
  const { title, text } = wordsOf(message, lang);
  return { title, text: [text, page].filter((one) => one !== '').join('\n\n'), page };
}

export async function mailTo(db: Db, message: Message, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < ids.length; at += MAILS) {
    const people = await db
      .selectFrom('account_user')
      .select(['id', 'email', 'language', 'dept_path'])
      .where('id', 'in', ids.slice(at, at + MAILS))
      .where('email', 'is not', null)
      .execute();
    for (const one of people) {
      const lang = one.language ?? 'en';
      await mail(db, {
        to: one.email ?? '',
        lang,
        template: 'message',
        params: mailWords(message, lang),
        userId: one.id,
        deptPath: one.dept_path,
      });
    }
  }
}
async function mailAlarm(db: Db, message: Message): Promise<void> {
  const { emails } = await readSetting(db, 'alarmReceivers');
  for (const to of emails) await mail(db, { to, lang: 'en', template: 'message', params: mailWords(message, 'en'), deptPath: '1.' });
}

export const deliverJob = (app: AppContext) =>
  job({
    name: DELIVER,
    payload: z.object({ id: z.int(), alarm: z.boolean().default(false) }),
    run: (_ctx, { id, alarm }) => deliver(app, id, alarm),
  });

/** Nightly: messages older than a year. */
export const forgetMessages = job({
  name: 'message:forget',
  payload: z.object({}),
  every: '37 3 * * *',
  run: async (ctx) => {
    const isOld = sql`m.created_at < ${ctx.now()}::timestamptz - interval '1 year'`;
    await inBatches(ctx, (db, rows) =>
      sql`delete from message_delivery where id in (
        select d.id from message_message m join message_delivery d on d.message_id = m.id where ${isOld} limit ${rows})`.execute(db),
    );
    await inBatches(ctx, (db, rows) =>
      sql`delete from message_message where id in (select m.id from message_message m
        where ${isOld} and not exists (select from message_delivery d where d.message_id = m.id) limit ${rows})`.execute(db),
    );
  },
});
