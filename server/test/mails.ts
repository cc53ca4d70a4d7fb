import { openWords } from '../src/platform/mail/seal-words.ts';
import type { TestHouse } from './house.ts';

export interface WrittenMail {
  readonly template: string;
  readonly channel: string;
  readonly state: string;
  readonly text: string;
}

/** The newest mail or text message to somebody, with the words that the recipient reads; none where they are gone. */
export async function newestMail({ house }: TestHouse, recipient: string): Promise<WrittenMail | undefined> {
  const row = await house.unscoped((db) =>
    db.selectFrom('mail_message').selectAll().where('recipient', '=', recipient).orderBy('id', 'desc').limit(1).executeTakeFirst(),
  );
  if (!row) return undefined;
  const gone = row.words_sealed === null && row.body_text === '';
  return { template: row.template, channel: row.channel, state: row.state, text: gone ? '' : openWords(house.masterKey, row).text };
}
