import { coreOf, defOf, issueWords, limitsOf, partAt, shapeOf } from '@mooring/contract/kit/issue-words';
import type { z } from 'zod';
import type { Words } from '../../ui/words.ts';
import type { FieldKind, Values } from './types.ts';

export const isRequired = (schema: z.ZodType | undefined): boolean => schema !== undefined && !schema.safeParse(undefined).success;
/** It may stay empty: nothing is asked for, and nothing stands in its place. A field with a default is filled in already. */
export function isOptional(schema: z.ZodType | undefined): boolean {
  const made = schema?.safeParse(undefined);
  return (
    made?.success === true && (made.data === undefined || made.data === null || textOf(made.data) === '""' || textOf(made.data) === '[]')
  );
}

/** Something that stood there was taken out, and the schema would put its default in its place without a word. */
export const isEmptied = (schema: z.ZodType | undefined, before: unknown, now: unknown): boolean =>
  before !== undefined &&
  typeof before !== 'object' &&
  now === undefined &&
  schema?.safeParse(undefined).success === true &&
  !isOptional(schema);

/** An address or a code has a form; only free text runs over lines. */
const isFree = (schema: z.ZodType) => !defOf(schema).checks?.some((one) => one._zod.def.check === 'string_format');
const AREA_FROM = 200;
const kinds: Record<string, FieldKind> = {
  boolean: 'switch',
  number: 'number',
  int: 'number',
  enum: 'one',
  array: 'multi',
  string: 'text',
};
export function kindOf(schema: z.ZodType | undefined): FieldKind {
  if (!schema) return 'text';
  const { type = 'string', format } = defOf(coreOf(schema));
  if (format === 'date') return 'day';
  if (type === 'array' && !limitsOf(schema).options) return 'tags';
  return type === 'string' && isFree(coreOf(schema)) && (limitsOf(schema).max ?? 0) >= AREA_FROM ? 'area' : (kinds[type] ?? 'text');
}

/** A value as text, whatever the order of its fields. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );

/** The defaults that the schema itself names. */
export function defaultsOf(schema: z.ZodType | undefined): Values {
  const values: Values = {};
  for (const [name, field] of Object.entries(shapeOf(schema))) {
    const made = field.safeParse(undefined);
    if (made.success && made.data !== undefined) values[name] = made.data;
  }
  return values;
}

/** An empty text is no value, unless the field takes an empty text. Values of fields that aren't shown are left out. */
export function tidy(schema: z.ZodType | undefined, values: Values, hidden: ReadonlySet<string> = new Set()): Values {
  const shape = shapeOf(schema);
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => {
      if (hidden.has(name) || value === undefined) return false;
      const field = shape[name];
      return value !== '' || field === undefined || field.safeParse('').success || isRequired(field);
    }),
  );
}

/** Field name → what is wrong there. Nested paths belong to their first field; `delivery.retries` names the field inside it as well. */
export function check(schema: z.ZodType | undefined, values: Values): Record<string, Words> {
  if (!schema) return {};
  const parsed = schema.safeParse(values);
  if (parsed.success) return {};
  const errors: Record<string, Words> = {};
  for (const issue of parsed.error.issues) {
    const name = String(issue.path[0] ?? '');
    if (issue.code === 'unrecognized_keys') continue;
    const value = issue.path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], values);
    const words = issueWords(issue, value, partAt(schema, issue.path));
    errors[name] ??= words;
    if (typeof issue.path[1] === 'string') errors[`${name}.${issue.path[1]}`] ??= words;
  }
  return errors;
}

/** What a value is that nothing was given for; undefined where there is no such value. */
function emptyOf(schema: z.ZodType | undefined, value: unknown): '' | [] | null | undefined {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) return [];
  return schema?.safeParse(null).success ? null : undefined;
}

/** Something that may be empty by itself, but not with what else is set. */
export function isNeeded(schema: z.ZodType | undefined, values: Values, name: string): boolean {
  const empty = emptyOf(shapeOf(schema)[name], values[name]);
  return empty !== undefined && check(schema, { ...values, [name]: empty })[name] === 'invalid.required';
}

/** What is wrong in a nested value, by the whole path of its place: `dataType.fields.1.id`. */
export function problemsIn(schema: z.ZodType, value: unknown): Readonly<Record<string, Words>> {
  const { error } = schema.safeParse(value);
  const found: Record<string, Words> = {};
  for (const issue of error?.issues ?? []) {
    const given = issue.path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key], value);
    found[issue.path.join('.')] ??= issueWords(issue, given, partAt(schema, issue.path));
  }
  return found;
}
