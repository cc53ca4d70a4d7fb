import type { RowOf } from '@mooring/contract/kit/entity';
import type { DictEntry } from '@mooring/contract/settings/dict-calls';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import type { Title } from '../../platform/texts/title.ts';
import { knownLanguages } from '../language/api.ts';

/** A column for the label in each language that the console knows. */
export type LabelColumn = `label.${string}`;
export type Column = 'dict' | 'value' | LabelColumn | 'sort' | 'enabled' | 'revision';
export type Entry = RowOf<typeof DictEntry>;

export const labelColumn = (lang: string): LabelColumn => `label.${lang}`;
export const langOf = (column: Column): string | undefined => (column.startsWith('label.') ? column.slice('label.'.length) : undefined);

const labels: Readonly<Record<LabelColumn, Title>> = Object.fromEntries(
  knownLanguages.map(({ code, native }) => [labelColumn(code), { key: 'dictSheet.label', params: { language: native } } as const]),
);
/** In an export and in a file that comes back alike. */
export const titles: Readonly<Record<Column, Title>> = {
  dict: 'dictSheet.dict',
  value: 'settings.dict.entry.value',
  ...labels,
  sort: 'settings.dict.entry.sort',
  enabled: 'settings.dict.entry.enabled',
  revision: 'dictSheet.revision',
};
/** What an export may have beside them. */
export const read = { system: 'settings.dict.system', updatedAt: 'settings.dict.updatedAt' } as const;

/** Those that the console is offered in, and those that entries have labels in. */
export async function languagesOf(db: Db, dictId: number | null): Promise<readonly string[]> {
  const { rows } = await sql<{ lang: string }>`
    select lang_code as lang from language_language where publish_status = '1'
    union select jsonb_object_keys(labels) from settings_dict_entry where ${dictId}::bigint is null or dict_id = ${dictId}`.execute(db);
  const used = new Set(rows.map(({ lang }) => lang));
  return knownLanguages.map(({ code }) => code).filter((code) => used.has(code));
}
