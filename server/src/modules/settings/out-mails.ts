import { Fault, fault } from '@mooring/contract/kit/fault';
import { mailMachine } from '@mooring/contract/mail/state-machines';
import { mailCalls, type OutMail } from '@mooring/contract/settings/mail-calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../platform/allowed-actions.ts';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, contains, exact, range } from '../../platform/db/criteria.ts';
import { move } from '../../platform/db/move.ts';
import { page } from '../../platform/db/page.ts';
import type { Channel } from '../../platform/mail/compose.ts';
import { enqueueMail, mail } from '../../platform/mail/mail.ts';
import { reasonIn } from '../../platform/mail/reason-words.ts';
import { dueIn, HAS_WORDS, IS_SEALED, messages } from '../../platform/mail/send-mail.ts';
import { sendsOf } from '../../platform/mail/settings.ts';
import type { Handler } from '../../platform/module.ts';
import { countSending, countWithin } from '../auth/api.ts';

/** Test mails and test text messages together, of one person: a gateway that is being set up takes a few. */
export const TESTS_AN_HOUR = 20;

const select = (db: Db) =>
  db
    .selectFrom('mail_message as m')
    .select([
      'm.id',
      'm.channel',
      'm.recipient',
      'm.template',
      'm.subject',
      'm.body_text',
      'm.shown_text',
      'm.secret',
      'm.state',
      'm.attempts',
    ])
    .select(['m.error', 'm.maybe_twice', 'm.created_at', 'm.sent_at'])
    .select(HAS_WORDS.as('has_words'));
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;
type Sends = Readonly<Record<string, boolean>>;
const mailOf =
  (ctx: Ctx, sends: Sends) =>
  (row: Row): z.input<typeof OutMail> => ({
    id: row.id,
    channel: row.channel as 'email',
    recipient: row.recipient,
    template: row.template,
    subject: row.subject,
    // What opens something is masked for everybody: whoever reads it would get into any account.
    text: row.shown_text ?? (row.secret ? '' : row.body_text),
    state: row.state,
    attempts: row.attempts,
    error: reasonIn(ctx.lang, row.error, row.channel),
    maybeTwice: row.maybe_twice,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    // Words that are gone can't be sent again, nor any without a server.
    ...allowing(
      !row.has_words || !sends[row.channel]
        ? []
        : allowedActions(ctx, { resend: mailCalls.resend }, { machine: mailMachine, state: row.state }),
    ),
  });

const sendsFor = (app: AppContext, ctx: Ctx) => ctx.unscoped((db) => sendsOf(app, db));

export const pageMails =
  (app: AppContext): Handler<typeof mailCalls.page> =>
  async (ctx, { criteria, page: wanted }) =>
    page(
      ctx.db,
      select(ctx.db).where(
        all(
          contains('m.recipient', criteria.recipient),
          exact('m.state', criteria.state),
          exact('m.channel', criteria.channel),
          range('m.created_at', criteria.createdAt),
        ),
      ),
      { page: wanted, sorts: { createdAt: 'm.created_at' }, id: 'm.id', map: mailOf(ctx, await sendsFor(app, ctx)) },
    );

async function readMail(ctx: Ctx, id: number, sends: Sends) {
  const row = await select(ctx.db).where('m.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return mailOf(ctx, sends)(row);
}

export const resendMail =
  (app: AppContext): Handler<typeof mailCalls.resend> =>
  async (ctx, { id }) => {
    const sends = await sendsFor(app, ctx);
    const before = await readMail(ctx, id, sends);
    if (!sends[before.channel]) throw new Fault('SEND_UNSET');
    const moved = await move(ctx.db, messages, 'resend', sql`id = ${id} and ${HAS_WORDS}`, {
      actorId: ctx.actor.userId,
      set: { ...dueIn(0), attempts: 0, error: null },
    });
    if (moved.length === 0) throw fault('OVERTAKEN');
    const { sealed } = await ctx.db
      .selectFrom('mail_message')
      .select(IS_SEALED.as('sealed'))
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await enqueueMail(ctx.db, { id, sealed });
    ctx.audit({ target: `mail to ${before.recipient}` });
    return readMail(ctx, id, sends);
  };

export const sendTest =
  (app: AppContext, channel: Channel): Handler<typeof mailCalls.test> =>
  async (ctx, { to }) => {
    const sends = await sendsFor(app, ctx);
    if (!sends[channel]) throw new Fault('SEND_UNSET');
    // Past the range policy: the counts are of everybody. A text message costs money, and disturbs whose number it is.
    await ctx.unscoped(async (db) => {
      const asked = await countWithin(db, `tests-by:${ctx.actor.userId}`, 60);
      if (asked.count > TESTS_AN_HOUR) throw fault('TOO_MANY', { seconds: asked.seconds });
      if (channel === 'sms') await countSending(db, to, ctx.ip, 'test');
    });
    const id = await mail(ctx.db, { to, channel, lang: ctx.lang, template: 'test', deptPath: ctx.scope.path, userId: ctx.actor.userId });
    ctx.audit({ target: `mail to ${to}` });
    return readMail(ctx, id, sends);
  };
