import type { TemplateField } from './template-fields.ts';

export const fieldChanges = ['added', 'removed', 'changed'] as const;
interface Part {
  readonly part: keyof TemplateField;
  readonly before: TemplateField[keyof TemplateField];
  readonly after: TemplateField[keyof TemplateField];
}
interface FieldChange {
  readonly key: string;
  readonly label: string;
  readonly change: (typeof fieldChanges)[number];
  /** Of one that changed, what of it. */
  readonly parts: readonly Part[];
}

/** A version that was saved before a part was known says nothing of it: that is no text either. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? '') === JSON.stringify(b ?? '');
const partsOf = (before: TemplateField, after: TemplateField): readonly Part[] =>
  (Object.keys(after) as (keyof TemplateField)[]).flatMap((part) =>
    same(before[part], after[part]) ? [] : [{ part, before: before[part] ?? null, after: after[part] ?? null }],
  );

/** What became of the fields of a template, by key: in the order of the newer ones, those that went last. Where they stand is no change. */
export function fieldChangesOf(before: readonly TemplateField[], after: readonly TemplateField[]): readonly FieldChange[] {
  const stood = new Map(before.map((field) => [field.key, field]));
  const stands = new Set(after.map(({ key }) => key));
  return [
    ...after.flatMap((field): FieldChange[] => {
      const { key, label } = field;
      const old = stood.get(key);
      if (!old) return [{ key, label, change: 'added', parts: [] }];
      const parts = partsOf(old, field);
      return parts.length === 0 ? [] : [{ key, label, change: 'changed', parts }];
    }),
    ...before.filter(({ key }) => !stands.has(key)).map(({ key, label }): FieldChange => ({ key, label, change: 'removed', parts: [] })),
  ];
}
