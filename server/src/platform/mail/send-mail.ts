import { mailMachine } from '@mooring/contract/mail/state-machines';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AppContext } from '../app-context.ts';
import type { Db } from '../context.ts';
import { move, statefulTable } from '../db/move.ts';
import { type Job, job } from '../module.ts';
import { type Channel, messageIdOf } from './compose.ts';
import { enqueueMail, SEND, SEND_SEALED } from './mail.ts';
import { openWords } from './seal-words.ts';
import type { MailSettings } from './settings.ts';
import { mailTransport, permanentOf, reasonOf, smsTransport } from './transports.ts';

export const messages = statefulTable('mail_message', mailMachine);
/** Seconds between the tries: over the first hours often, for a day in all. */
const waits = [30, 120, 600, 1800, 3600, 7200, 14_400, 28_800, 28_800];
/** A try takes half a minute at most; one that is taken for longer lost its process. */
const LOST = sql`coalesce(sealed_taken_at, taken_at) < now() - interval '5 minutes'`;
// Sealed ones have moments of their own, so that a version before never takes them (migration 0210).
export const IS_SEALED = sql<boolean>`sealed_due_at is not null`;
const DUE = sql`coalesce(sealed_due_at, next_at)`;
const takenNow = {
  taken_at: sql`case when sealed_due_at is null then now() end`,
  sealed_taken_at: sql`case when sealed_due_at is not null then now() end`,
  attempts: sql`attempts + 1`,
};
/** When the next try is. */
export const dueIn = (seconds: number) => ({
  next_at: sql`case when sealed_due_at is null then now() + make_interval(secs => ${seconds}) else 'infinity' end`,
  sealed_due_at: sql`case when sealed_due_at is not null then now() + make_interval(secs => ${seconds}) end`,
});
/** Words that are gone can't be sent again. */
export const HAS_WORDS = sql<boolean>`(body_text <> '' or words_sealed is not null)`;

/** Takes the row for this try. A lost one is taken again, and says from then on that it may have arrived before. */
async function take(db: Db, id: number) {
  const taken = await move(db, messages, 'take', sql`id = ${id} and ${DUE} <= now() + interval '1 second'`, { set: takenNow });
  const again =
    taken.length > 0
      ? taken
      : await move(db, messages, 'takeAgain', sql`id = ${id} and ${LOST}`, {
          set: { ...takenNow, maybe_twice: true },
        });
  if (again.length === 0) return undefined;
  return db.selectFrom('mail_message').selectAll().where('id', '=', id).executeTakeFirst();
}

const wiped = {
  body_text: sql`case when secret then '' else body_text end`,
  body_html: sql`case when secret then '' else body_html end`,
  words_sealed: null,
};

/** Codes open something for minutes, invitations and one-time passwords for days: after that nobody needs their words, wherever they wait. */
const wipeOver = (db: Db) =>
  sql`update mail_message set body_text = '', body_html = '', words_sealed = null where secret and ${HAS_WORDS} and state <> 'sending'
    and created_at < now() - case when template like '%Code' then interval '1 hour' else interval '7 days' end`.execute(db);

/** Until when the server is left alone: a hundred messages don't wait ten seconds each for one that doesn't answer. */
type Away = Record<Channel, number>;
const AWAY_MS = 30_000;
const unreachable = new Set(['ECONNECTION', 'ETIMEDOUT', 'ESOCKET', 'EDNS', 'ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH']);
const isAway = (error: unknown): boolean => unreachable.has((error as { code?: string }).code ?? '');

/** Sends one message. The row is taken in a transaction of its own before and settled after, so a second run finds nothing to take. */
async function sendMail(app: AppContext, settings: MailSettings, id: number, away: Away): Promise<void> {
  const transports = await app.unscoped(async (db) => ({
    email: await mailTransport(await settings.mail(db), db, await settings.allowed(db)),
    sms: smsTransport(await settings.sms(db), app.now, await settings.allowed(db)),
  }));
  const found = await app.unscoped(async (db) => {
    const waiting = await db
      .selectFrom('mail_message')
      .select(['channel', IS_SEALED.as('sealed')])
      .where('id', '=', id)
      .where('state', 'in', ['waiting', 'sending'])
      .executeTakeFirst();
    if (!waiting || transports[waiting.channel as Channel]) return waiting;
    await move(db, messages, 'keep', [id]);
    return undefined;
  });
  if (!found) return;
  const channel = found.channel as Channel;
  const { sealed } = found;
  const rest = away[channel] - app.now().getTime();
  if (rest > 0) return app.unscoped((db) => enqueueMail(db, { id, sealed }, new Date(app.now().getTime() + rest)));
  const row = await app.unscoped((db) => take(db, id));
  const transport = transports[channel];
  if (!row || !transport) return;
  try {
    await transport.carry({
      id: messageIdOf(row.id, row.created_at, transport.from),
      to: row.recipient,
      ...openWords(app.masterKey, row),
    });
  } catch (error) {
    const reason = reasonOf(error);
    const wait = waits[row.attempts - 1];
    if (isAway(error)) away[channel] = app.now().getTime() + AWAY_MS;
    await app.unscoped(async (db) => {
      if (permanentOf(error) || wait === undefined) await move(db, messages, 'fail', [id], { set: { error: reason, ...wiped } });
      else {
        await move(db, messages, 'putOff', [id], { set: { error: reason, ...dueIn(wait) } });
        await enqueueMail(db, { id, sealed }, new Date(app.now().getTime() + wait * 1000));
      }
      await app.invalidate(db, '/sysSetting/mail', row.dept_path);
    });
    app.log.warn({ mail: id, error: reason }, 'message not sent');
    return;
  }
  await app.unscoped(async (db) => {
    await move(db, messages, 'succeed', [id], { set: { sent_at: sql`now()`, error: null, ...wiped } });
    await app.invalidate(db, '/sysSetting/mail', row.dept_path);
  });
}

export const mailJobs = (app: AppContext, settings: MailSettings, away: Away = { email: 0, sms: 0 }): Job[] => [
  // Running twice finds the row taken or settled.
  ...[SEND, SEND_SEALED].map((name) =>
    job({ name, payload: z.object({ id: z.number() }), run: (_ctx, { id }) => sendMail(app, settings, id, away) }),
  ),
  // What a killed process left is queued again; the queue keeps one job a message.
  job({
    name: 'mail:sweep',
    payload: z.object({}),
    every: '* * * * *',
    run: (ctx) =>
      ctx.unscoped(async (db) => {
        const left = await sql<{ id: number; sealed: boolean }>`select id, ${IS_SEALED} as sealed from mail_message
          where (state = 'sending' and ${LOST}) or (state = 'waiting' and ${DUE} < now() - interval '2 minutes') order by id limit 500`.execute(
          db,
        );
        for (const row of left.rows) await enqueueMail(db, row);
        await wipeOver(db);
        await sql`delete from mail_message where created_at < now() - interval '90 days'`.execute(db);
      }),
  }),
];
