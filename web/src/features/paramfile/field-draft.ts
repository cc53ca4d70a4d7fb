import { type FieldType, TemplateField } from '@mooring/contract/paramfile/template-fields';
import { check } from '../../kit/form/schema.ts';
import type { Words } from '../../ui/words.ts';

/** A parameter under way: a cleared number is `null`, text that is no number stays as it was typed. */
export type FieldDraft = { readonly [K in keyof TemplateField]?: unknown } & { readonly type: FieldType };

export const newField: FieldDraft = { key: '', label: '', type: 'text', required: false };

/** The same parameter as another type: rules of the one before say nothing about it. */
export const asType = ({ key, label, help, required }: FieldDraft, type: FieldType): FieldDraft => ({ key, label, help, type, required });

/** What is wrong with each parameter, by its part. */
export function problemsOf(rows: readonly FieldDraft[]): readonly Readonly<Record<string, Words>>[] {
  return rows.map((row, at) => ({
    ...(rows.findIndex((one) => one.key === row.key) < at && row.key !== '' ? { key: 'invalid.keyTwice' as const } : {}),
    ...check(TemplateField, row),
    ...(row.key === '' ? { key: 'invalid.required' as const } : {}),
  }));
}

export function moved<T>(rows: readonly T[], from: number, to: number): readonly T[] {
  const rest = rows.filter((_row, at) => at !== from);
  return [...rest.slice(0, to), rows[from] as T, ...rest.slice(to)];
}
