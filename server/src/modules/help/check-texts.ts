import { keysIn } from '@mooring/contract/help/placeholders';
import { Fault } from '@mooring/contract/kit/fault';
import { refusedLink } from '@mooring/contract/shared/markdown';
import { wordIn } from './said.ts';

/** What can't be shown is said at its field: a link that leads nowhere good, a word that the console doesn't have. */
export function checkTexts(input: Readonly<Record<'title' | 'titleZh' | 'body' | 'bodyZh', string>>): void {
  const wrong: Record<string, string> = {};
  for (const name of ['body', 'bodyZh'] as const) if (refusedLink(input[name]) !== undefined) wrong[name] = 'invalid.text.link';
  for (const name of ['title', 'titleZh', 'body', 'bodyZh'] as const)
    if (keysIn(input[name]).some((key) => wordIn('en', key) === undefined)) wrong[name] ??= 'invalid.help.word';
  if (Object.keys(wrong).length > 0) throw new Fault('BAD_INPUT', { fields: wrong });
}
