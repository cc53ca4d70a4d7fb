import { z } from 'zod';
import { MOST_SEALED } from '../kit/schema.ts';
import { costOf, isPattern, matches } from './pattern.ts';

export const fieldTypes = ['text', 'number', 'boolean', 'choice', 'secret'] as const;
export type FieldType = (typeof fieldTypes)[number];

/** Of a value, a field and a template: all of a terminal's values go out in one message. */
export const templateLimits = { fields: 100, text: 500, help: 200, pattern: 200, choices: 50, bytes: 16 * 1024 } as const;

/** What Android's side looks a parameter up by. */
export const ParamKey = z.string().regex(/^[A-Za-z][\w.-]{0,63}$/, 'invalid.paramKey');
export const ParamValue = z.union([z.string().max(templateLimits.text), z.number(), z.boolean()]);
export type ParamValue = z.output<typeof ParamValue>;

const Parts = z.strictObject({
  key: ParamKey,
  /** What people call it; its key where it is left out. */
  label: z.string().trim().max(64).default(''),
  type: z.enum(fieldTypes),
  /** Shown with its control. */
  help: z.string().trim().max(templateLimits.help).default(''),
  required: z.boolean().default(false),
  default: ParamValue.nullable().default(null),
  /** Of a number. */
  min: z.number().nullable().default(null),
  max: z.number().nullable().default(null),
  /** Of a text or a secret. */
  maxLength: z.int().min(1).max(templateLimits.text).nullable().default(null),
  pattern: z.string().max(templateLimits.pattern).default(''),
  choices: z.array(z.string().trim().min(1).max(64)).max(templateLimits.choices).default([]),
});
type Ruled = z.output<typeof Parts>;

/** What is wrong with a value, by the last part of its text key, with what the text says of it. */
export type ParamProblem = 'required' | 'unknown' | 'text' | 'number' | 'boolean' | 'choice' | 'min' | 'max' | 'maxLength' | 'pattern';
export interface Wrong {
  readonly problem: ParamProblem;
  readonly limit?: number;
}

function wrongText(field: Ruled, value: string): Wrong | undefined {
  const { pattern } = field;
  const limit = longest(field);
  if ([...value].length > limit) return { problem: 'maxLength', limit };
  return pattern !== '' && !matches(pattern, value) ? { problem: 'pattern' } : undefined;
}
function wrongNumber({ min, max }: Ruled, value: number): Wrong | undefined {
  if (min !== null && value < min) return { problem: 'min', limit: min };
  return max !== null && value > max ? { problem: 'max', limit: max } : undefined;
}

/** An empty text is no value. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** What is wrong with a value for a field, if anything. */
export function wrongValue(field: Ruled, value: unknown): Wrong | undefined {
  if (!isGiven(value)) return field.required ? { problem: 'required' } : undefined;
  if (field.type === 'number') return typeof value === 'number' ? wrongNumber(field, value) : { problem: 'number' };
  if (field.type === 'boolean') return typeof value === 'boolean' ? undefined : { problem: 'boolean' };
  if (typeof value !== 'string') return { problem: 'text' };
  if (field.type === 'choice') return field.choices.includes(value) ? undefined : { problem: 'choice' };
  return wrongText(field, value);
}

const hasDoubles = (list: readonly string[]) => new Set(list).size < list.length;

const longest = ({ maxLength, type }: Ruled): number => maxLength ?? (type === 'secret' ? MOST_SEALED : templateLimits.text);
/** Steps that the formats of a template may take together, however they are shared out: its values are read on the server's one thread. */
const MOST_STEPS = 100_000;
const stepsIn = (field: Ruled): number => costOf(field.pattern, longest(field));

type Say = (name: keyof Ruled, message: string) => void;
function judge(field: Ruled, say: Say): void {
  if (field.pattern !== '' && !isPattern(field.pattern)) {
    say('pattern', 'invalid.pattern');
    return;
  }
  if (field.min !== null && field.max !== null && field.min > field.max) say('max', 'invalid.maxBelowMin');
  if (field.type === 'choice' && field.choices.length === 0) say('choices', 'invalid.required');
  if (hasDoubles(field.choices)) say('choices', 'invalid.choiceTwice');
  // A template is read by all who may see it.
  if (field.type === 'secret' && field.default !== null) say('default', 'invalid.secretDefault');
  else if (isGiven(field.default) && wrongValue(field, field.default)) say('default', 'invalid.default');
}

/** A field of a template: what may be given for it. */
export const TemplateField = Parts.superRefine((field, { addIssue }) => {
  const say: Say = (name, message) => addIssue({ code: 'custom', path: [name], message, input: field[name] });
  if (stepsIn(field) > MOST_STEPS) say('pattern', 'invalid.patternCostly');
  else judge(field, say);
});
export type TemplateField = z.output<typeof TemplateField>;

export const TemplateFields = z
  .array(Parts)
  .min(1)
  .max(templateLimits.fields)
  .superRefine((fields, { addIssue }) => {
    // Before any of them reads anything.
    let steps = 0;
    for (const [at, field] of fields.entries()) {
      steps += stepsIn(field);
      if (steps > MOST_STEPS)
        return addIssue({ code: 'custom', path: [at, 'pattern'], message: 'invalid.patternCostly', input: field.pattern });
    }
    for (const [at, field] of fields.entries())
      judge(field, (name, message) => addIssue({ code: 'custom', path: [at, name], message, input: field[name] }));
    const seen = new Set<string>();
    for (const [at, { key }] of fields.entries()) {
      if (seen.has(key)) addIssue({ code: 'custom', path: [at, 'key'], message: 'invalid.keyTwice', input: key });
      seen.add(key);
    }
  });

interface Given {
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: readonly { readonly key: string; readonly value: string }[];
  /** Whose secrets were given before and are kept. */
  readonly secretKeys: readonly string[];
}
/** What is wrong with what is given for a template's fields, by key. */
export function wrongValues(fields: readonly TemplateField[], { values, secrets, secretKeys }: Given): ReadonlyMap<string, Wrong> {
  const wrong = new Map<string, Wrong>();
  const open = new Set(fields.filter(({ type }) => type !== 'secret').map(({ key }) => key));
  const hidden = new Set(fields.filter(({ type }) => type === 'secret').map(({ key }) => key));
  for (const key of Object.keys(values)) if (!open.has(key)) wrong.set(key, { problem: 'unknown' });
  for (const { key } of secrets) if (!hidden.has(key)) wrong.set(key, { problem: 'unknown' });
  const typed = new Map(secrets.map(({ key, value }) => [key, value]));
  for (const field of fields) {
    const { key } = field;
    const value = field.type === 'secret' ? typed.get(key) : Object.hasOwn(values, key) ? values[key] : undefined;
    if (field.type === 'secret' && !isGiven(value) && secretKeys.includes(key)) continue;
    const found = wrongValue(field, value);
    if (found) wrong.set(key, found);
  }
  return wrong;
}
