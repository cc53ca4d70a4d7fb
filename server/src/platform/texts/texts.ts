import { textTables } from '@mooring/contract/texts';

/** Texts of one language: key → ICU message. */
export type Texts = ReadonlyMap<string, string>;

const tables = Object.entries(textTables) as [string, Readonly<Record<string, readonly [string, string]>>][];
const column = (at: 0 | 1): Texts => new Map(tables.flatMap(([, table]) => Object.entries(table).map(([key, both]) => [key, both[at]])));

/** Which table (dataType) a key stands in, in the order of the declarations. */
export const dataTypeOf: ReadonlyMap<string, string> = new Map(
  tables.flatMap(([dataType, table]) => Object.keys(table).map((key) => [key, dataType])),
);
export const english = column(0);
const brought = new Map<string, Texts>([
  ['en', english],
  ['zh-CN', column(1)],
]);

/** A language that the product brings besides the two of the declarations. */
export function bring(lang: string, texts: Readonly<Record<string, string>>): void {
  brought.set(lang, new Map(Object.entries(texts).filter(([key]) => english.has(key))));
}

// What people edited or imported, read again by each process when it changes (modules/language/follow-texts.ts).
let edited: ReadonlyMap<string, Texts> = new Map();
export function setEdited(texts: ReadonlyMap<string, Texts>): void {
  edited = texts;
}

export const broughtIn = (lang: string): Texts => brought.get(lang) ?? new Map();
export const editedIn = (lang: string): Texts => edited.get(lang) ?? new Map();

/** The code under which a language's texts are kept: `de-AT` reads `de`, any Chinese without texts of its own zh-CN. */
export function spokenOf(lang: string): string {
  if (brought.has(lang) || edited.has(lang)) return lang;
  return /^zh/i.test(lang) ? 'zh-CN' : (lang.split('-')[0]?.toLowerCase() ?? 'en');
}

export function textOf(lang: string, key: string): { text: string; spoken: string } | undefined {
  const spoken = spokenOf(lang);
  const own = editedIn(spoken).get(key) ?? broughtIn(spoken).get(key);
  if (own !== undefined) return { text: own, spoken };
  const text = editedIn('en').get(key) ?? english.get(key);
  return text === undefined ? undefined : { text, spoken: 'en' };
}
