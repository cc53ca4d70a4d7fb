import { sql } from 'kysely';
import type { Db } from '../context.ts';
import { textOf } from './texts.ts';
import { t } from './translate.ts';

/** An entry of a picklist, as far as it says what it is called. */
export interface Labelled {
  readonly value: string;
  /** Language code → label. */
  readonly labels: unknown;
  /** Of the product's own entries: what they are called where nobody called them otherwise. */
  readonly text_key: string | null;
}

/** What an entry is called in a language: as people called it there, else as the product calls it, else in English, else by its value. */
export function labelOf({ labels: given, text_key, value }: Labelled, lang: string): string {
  const labels = given as Readonly<Record<string, string>>;
  const own = labels[lang] || labels[lang.split('-')[0] ?? ''] || (lang.startsWith('zh') ? labels['zh-CN'] : '');
  return own || (text_key ? t(lang, text_key) : labels.en || value);
}

/** What the product itself calls an entry, by language. */
export const broughtLabels = (text_key: string | null): Readonly<Record<string, string>> =>
  text_key && textOf('en', text_key) ? { en: t('en', text_key), 'zh-CN': t('zh-CN', text_key) } : {};

/** What an entry is called in each language that says it by itself. */
export const labelsOf = ({ labels, text_key }: Omit<Labelled, 'value'>): Record<string, string> => ({
  ...broughtLabels(text_key),
  ...(labels as Readonly<Record<string, string>>),
});

/** What the values of these picklists are called in a language, also of those that aren't offered any more. */
export async function dictLabels(
  db: Db,
  lang: string,
  codes: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const { rows } = await sql<Labelled & { code: string }>`
    select d.code, e.value, e.labels, e.text_key from settings_dict_entry e join settings_dict d on d.id = e.dict_id
    where d.code = any(${codes}::text[])`.execute(db);
  const of = (code: string) => rows.filter((row) => row.code === code).map((row) => [row.value, labelOf(row, lang)] as const);
  return new Map(codes.map((code) => [code, new Map(of(code))]));
}
