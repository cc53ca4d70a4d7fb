import type { Machine } from '@mooring/contract/kit/state-machine';
import { t } from '../texts/translate.ts';
import type { Cell } from './defuse.ts';

/** A value as a cell in a person's language. `words`: how its keys begin, or the machine whose state it is. */
export function cellOf(value: unknown, words: string | Machine | undefined, lang: string): Cell {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((one) => cellOf(one, words, lang)).join(', ');
  if (typeof words === 'object') return t(lang, `life.${words.name}.${words.byCode[String(value)]}`);
  if (words !== undefined) return t(lang, `${words}${value}`);
  if (typeof value === 'boolean') return t(lang, value ? 'kit.yes' : 'kit.no');
  if (value instanceof Date) return value;
  if (typeof value !== 'object') return value as Cell;
  return 'name' in value ? String(value.name) : JSON.stringify(value);
}
