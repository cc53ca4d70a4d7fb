import { sql } from 'kysely';
import type { Db } from '../context.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { readSetting } from '../settings.ts';
import { type Channel, compose, type MailTemplate, oneLine } from './compose.ts';

export const SEND = 'mail:send';
/** What opens something: nobody but the recipient reads it, and the words are wiped when they were sent. */
const secrets: readonly string[] = ['code', 'password', 'link'];
const MASK = '••••••';

export interface Mail {
  /** An address, or a telephone number where the channel is `sms`. */
  readonly to: string;
  readonly lang: string;
  readonly template: MailTemplate;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly channel?: Channel;
  /** Whose list it stands in; the platform's where it is left out. */
  readonly deptPath?: string;
  readonly userId?: number;
}

/** What the installation is called. */
export const brandOf = async (db: Db): Promise<string> => (await readSetting(db, 'branding')).systemName || 'Mooring';

/** Writes a message in the caller's transaction; a job sends it after the commit. Answers the row's id. */
export async function mail(db: Db, message: Mail): Promise<number> {
  const channel = message.channel ?? 'email';
  const brand = await brandOf(db);
  const params = message.params ?? {};
  const words = compose(channel, message.template, message.lang, brand, params);
  const masked = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, secrets.includes(key) ? MASK : value]));
  const shown = compose(channel, message.template, message.lang, brand, masked).text;
  // Not `returning`: the caller may write to somebody whose messages it must not read.
  const next = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('mail_message', 'id')) as id`.execute(db);
  const id = next.rows[0]?.id ?? 0;
  await db
    .insertInto('mail_message')
    .values({
      id,
      channel,
      recipient: oneLine(message.to),
      template: message.template,
      lang: message.lang,
      subject: words.subject,
      body_text: words.text,
      body_html: words.html,
      shown_text: shown,
      secret: shown !== words.text,
      state: 'waiting',
      user_id: message.userId ?? null,
      dept_path: message.deptPath ?? '1.',
    })
    .execute();
  await enqueueMail(db, id);
  return id;
}

export const enqueueMail = (db: Db, id: number, runAt?: Date): Promise<void> =>
  enqueue(db, SEND, { payload: { id } }, { key: `${SEND}:${id}`, maxAttempts: 3, ...(runAt ? { runAt } : {}) });
