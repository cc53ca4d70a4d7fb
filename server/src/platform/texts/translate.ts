import { apart, isChosenBy, isRightToLeft, latinDigits } from '@mooring/contract/shared/format';
import { IntlMessageFormat } from 'intl-messageformat';
import { textOf } from './texts.ts';

const formats = new Map<string, IntlMessageFormat>();
const MOST_FORMATS = 20_000;

/** What is copied or followed as it stands takes no marks along: an address would not open, a code would be refused. */
const isTaken = (value: string) => /^(https?:\/\/\S+|[\d\s-]+)$/.test(value);

function keptApart(
  lang: string,
  text: string,
  params: Readonly<Record<string, string | number>>,
): Readonly<Record<string, string | number>> {
  if (!isRightToLeft(lang)) return params;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && !isTaken(value) && !isChosenBy(text, name) ? apart(lang, value) : value,
    ]),
  );
}

/** Chinese for any Chinese, English for a language without this text; the key itself where there is none, so that a gap is seen and nothing fails. */
export function t(lang: string, key: string, params: Readonly<Record<string, string | number>> = {}): string {
  const found = textOf(lang, key);
  if (found === undefined) return key;
  const { text, spoken } = found;
  const id = `${spoken}:${text}`;
  try {
    let format = formats.get(id);
    if (!format) {
      if (formats.size > MOST_FORMATS) formats.clear();
      format = new IntlMessageFormat(text, latinDigits(spoken));
      formats.set(id, format);
    }
    return String(format.format(keptApart(spoken, text, params)));
  } catch {
    // A text that wants a value nobody gave is still better than a failed answer.
    return text;
  }
}
