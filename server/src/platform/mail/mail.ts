import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { MasterKey } from '../config/master-key.ts';
import type { Db } from '../context.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { readSetting } from '../settings.ts';
import { type Channel, compose, type MailTemplate, oneLine } from './compose.ts';
import { sealWords } from './seal-words.ts';

export const SEND = 'mail:send';
/** By a name of its own: a version that doesn't know sealed words runs none of them. */
export const SEND_SEALED = 'mail:send-sealed';
/** What opens something: nobody but the recipient reads it. Its words are sealed at rest, and wiped when they were sent. */
export const secretParams = ['code', 'password', 'link'] as const;
const isSecret = (name: string): boolean => secretParams.some((one) => one === name);
const MASK = '••••••';

type Params = Readonly<Record<string, string | number>>;
type OpenParams = Params & { readonly [Name in (typeof secretParams)[number]]?: never };
interface Addressed {
  /** An address, or a telephone number where the channel is `sms`. */
  readonly to: string;
  readonly lang: string;
  readonly template: MailTemplate;
  readonly channel?: Channel;
  /** Whose list it stands in; the platform's where it is left out. */
  readonly deptPath?: string;
  readonly userId?: number;
}
/** What opens something wants the key that seals it. */
export type Mail = Addressed &
  ({ readonly params?: OpenParams; readonly sealWith?: never } | { readonly params: Params; readonly sealWith: MasterKey });

/** What the installation is called. */
export const brandOf = async (db: Db): Promise<string> => (await readSetting(db, 'branding')).systemName || 'Mooring';

/** Writes a message in the caller's transaction; a job sends it after the commit. Answers the row's id. */
export async function mail(db: Db, message: Mail): Promise<number> {
  const channel = message.channel ?? 'email';
  const brand = await brandOf(db);
  const params: Params = message.params ?? {};
  const words = compose(channel, message.template, message.lang, brand, params);
  const masked = Object.fromEntries(Object.entries(params).map(([key, value]) => [key, isSecret(key) ? MASK : value]));
  const shown = compose(channel, message.template, message.lang, brand, masked);
  const secret = !isDeepStrictEqual(shown, words);
  // Not `returning`: the caller may write to somebody whose messages it must not read.
  const next = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('mail_message', 'id')) as id`.execute(db);
  const id = next.rows[0]?.id ?? 0;
  const to = oneLine(message.to);
  if (secret && !message.sealWith) throw new Error(`the mail ${message.template} opens something: sealWith is missing`);
  const sealed = secret && message.sealWith ? sealWords(message.sealWith, { id, to }, words) : null;
  await db
    .insertInto('mail_message')
    .values({
      id,
      channel,
      recipient: to,
      template: message.template,
      lang: message.lang,
      subject: shown.subject,
      body_text: sealed ? '' : words.text,
      body_html: sealed ? '' : words.html,
      shown_text: shown.text,
      words_sealed: sealed,
      // Migration 0210 says why these, and not `next_at`.
      ...(sealed ? { sealed_due_at: sql`now()`, next_at: sql`'infinity'::timestamptz` } : {}),
      secret,
      state: 'waiting',
      user_id: message.userId ?? null,
      dept_path: message.deptPath ?? '1.',
    })
    .execute();
  await enqueueMail(db, { id, sealed: secret });
  return id;
}

export function enqueueMail(db: Db, { id, sealed }: { readonly id: number; readonly sealed: boolean }, runAt?: Date): Promise<void> {
  const name = sealed ? SEND_SEALED : SEND;
  return enqueue(db, name, { payload: { id } }, { key: `${name}:${id}`, maxAttempts: 3, ...(runAt ? { runAt } : {}) });
}
