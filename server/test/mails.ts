import { openWords } from '../src/platform/mail/seal-words.ts';
import type { TestApp } from './test-app.ts';

export interface WrittenMail {
  readonly id: number;
  readonly template: string;
  readonly channel: string;
  readonly state: string;
  readonly text: string;
}

/** The newest mail or text message to somebody, with the words that the recipient reads; none where they are gone. */
export async function newestMail({ context }: TestApp, recipient: string): Promise<WrittenMail | undefined> {
  const row = await context.unscoped((db) =>
    db.selectFrom('mail_message').selectAll().where('recipient', '=', recipient).orderBy('id', 'desc').limit(1).executeTakeFirst(),
  );
  if (!row) return undefined;
  const gone = row.words_sealed === null && row.body_text === '';
  return {
    id: row.id,
    template: row.template,
    channel: row.channel,
    state: row.state,
    text: gone ? '' : openWords(context.masterKey, row).text,
  };
}
