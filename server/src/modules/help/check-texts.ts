import { keysIn } from '@mooring/contract/help/placeholders';
import { Fault } from '@mooring/contract/kit/fault';
import { refusedLink } from '@mooring/contract/shared/markdown';
import { wordIn } from './said.ts';

type Texts = Readonly<Record<'title' | 'titleZh' | 'body' | 'bodyZh', string>> & {
  readonly translations: readonly { readonly title: string; readonly body: string }[];
};

/** What can't be shown is said at its field: a link that leads nowhere good, a word that the console doesn't have. */
export function checkTexts(input: Texts): void {
  const { translations, title, titleZh, body, bodyZh } = input;
  const bodies = [['body', body], ['bodyZh', bodyZh], ...translations.map((one) => ['translations', one.body])] as const;
  const titles = [['title', title], ['titleZh', titleZh], ...translations.map((one) => ['translations', one.title])] as const;
  const wrong: Record<string, string> = {};
  for (const [name = '', text = ''] of bodies) if (refusedLink(text) !== undefined) wrong[name] = 'invalid.text.link';
  for (const [name = '', text = ''] of [...titles, ...bodies])
    if (keysIn(text).some((key) => wordIn('en', key) === undefined)) wrong[name] ??= 'invalid.help.word';
  if (Object.keys(wrong).length > 0) throw new Fault('BAD_INPUT', { fields: wrong });
}
