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

function formatOf(spoken: string, text: string): IntlMessageFormat {
  const id = `${spoken}:${text}`;
  const known = formats.get(id);
  if (known) return known;
  if (formats.size > MOST_FORMATS) formats.clear();
  const format = new IntlMessageFormat(text, latinDigits(spoken));
  formats.set(id, format);
  return format;
}

/** Chinese for any Chinese, English for a language without this text; the key itself where there is none, so that a gap is seen and nothing fails. */
export function t(lang: string, key: string, params: Readonly<Record<string, string | number>> = {}): string {
  const found = textOf(lang, key);
  if (found === undefined) return key;
  const { text, spoken } = found;
  try {
    return String(formatOf(spoken, text).format(keptApart(spoken, text, params)));
  } catch {
    // A text that wants a value nobody gave is still better than a failed answer.
    return text;
  }
}

type Part = ReturnType<IntlMessageFormat['getAst']>[number];
const LITERAL = 0;
function literalsIn(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if ('options' in part)
        return Object.values(part.options)
          .map(({ value }) => literalsIn(value))
          .join(' ');
      return part.type === LITERAL ? part.value : ' ';
    })
    .join('');
}

/** What a text says whatever its values: without their names, and with each branch of a choice. */
export function literals(lang: string, key: string): string {
  const found = textOf(lang, key);
  return found === undefined ? '' : literalsIn(formatOf(found.spoken, found.text).getAst());
}
