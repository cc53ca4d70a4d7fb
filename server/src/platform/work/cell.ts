import type { Machine } from '@mooring/contract/kit/state-machine';
import { t } from '../texts/translate.ts';
import type { Cell } from './defuse.ts';

/** What values are called: by how their keys begin, by the machine whose states they are, or as is said of each. */
export type Words = string | Machine | ((value: string, lang: string) => string);

/** A value as a cell in a person's language. */
export function cellOf(value: unknown, words: Words | undefined, lang: string): Cell {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((one) => cellOf(one, words, lang)).join(', ');
  if (typeof words === 'function') return words(String(value), lang);
  if (typeof words === 'object') return t(lang, `life.${words.name}.${words.byCode[String(value)]}`);
  if (words !== undefined) return t(lang, `${words}${value}`);
  if (typeof value === 'boolean') return t(lang, value ? 'kit.yes' : 'kit.no');
  if (value instanceof Date) return value;
  if (typeof value !== 'object') return value as Cell;
  return 'name' in value ? String(value.name) : JSON.stringify(value);
}
