import { z } from 'zod';
import type { MasterKey } from '../config/master-key.ts';
import type { Composed } from './compose.ts';

const PURPOSE = 'mail';
const Sealed = z.object({ id: z.number(), to: z.string(), subject: z.string(), text: z.string(), html: z.string() });

/** Bound to their row and its recipient: moved to another row they open nothing. */
export const sealWords = (masterKey: MasterKey, row: { readonly id: number; readonly to: string }, words: Composed): Buffer =>
  masterKey.seal(PURPOSE, Buffer.from(JSON.stringify({ ...words, id: row.id, to: row.to })));

interface Row {
  readonly id: number;
  readonly recipient: string;
  readonly subject: string;
  readonly body_text: string;
  readonly body_html: string;
  readonly words_sealed: Buffer | null;
}
export class WordsLost extends Error {
  readonly permanent = true;
}

/** What goes out. @throws where it was wiped meanwhile, or was sealed with a key that isn't there any more. */
export function openWords(masterKey: MasterKey, row: Row): Composed {
  if (row.words_sealed === null) {
    if (row.body_text === '') throw new WordsLost('what it carries was over before it could be sent');
    return { subject: row.subject, text: row.body_text, html: row.body_html };
  }
  let words: z.infer<typeof Sealed> | undefined;
  try {
    words = Sealed.parse(JSON.parse(masterKey.open(PURPOSE, row.words_sealed).toString()));
  } catch {
    throw new WordsLost('sealed with a master key that this server doesn’t have: send a new one from where it was asked for');
  }
  if (words.id !== row.id || words.to !== row.recipient) throw new WordsLost('what it carries was sealed for another mail');
  return { subject: words.subject, text: words.text, html: words.html };
}
