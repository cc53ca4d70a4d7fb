import type { z } from 'zod';
import type { TextKey } from '../texts.ts';

interface Def {
  readonly type?: string;
  readonly format?: string;
  readonly shape?: Record<string, z.ZodType>;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly element?: z.ZodType;
  readonly entries?: Record<string, string>;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
}
export const defOf = (schema: z.ZodType): Def => (schema as unknown as { def: Def }).def;

/** What a schema is below optional, nullable, default and pipes. */
export function coreOf(schema: z.ZodType): z.ZodType {
  const { innerType, in: input } = defOf(schema);
  const inner = innerType ?? input;
  return inner ? coreOf(inner) : schema;
}

export const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> => (schema ? (defOf(coreOf(schema)).shape ?? {}) : {});

export interface Limits {
  readonly max?: number | undefined;
  readonly minValue?: number | undefined;
  readonly maxValue?: number | undefined;
  readonly options?: readonly string[] | undefined;
}
const finite = (value: unknown): number | undefined =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : undefined;

export function limitsOf(schema: z.ZodType | undefined): Limits {
  if (!schema) return {};
  const core = coreOf(schema) as z.ZodType & { maxLength?: number | null; minValue?: number | null; maxValue?: number | null };
  const { element, entries } = defOf(core);
  const named = entries ?? (element ? defOf(coreOf(element)).entries : undefined);
  return {
    max: finite(core.maxLength),
    minValue: finite(core.minValue),
    maxValue: finite(core.maxValue),
    options: named && Object.values(named),
  };
}

/** What is wrong, in words and their figures. */
export type IssueWords = TextKey | { readonly key: TextKey; readonly params: Readonly<Record<string, string | number>> };
type Issue = z.core.$ZodIssue;
const isKey = (text: string): text is TextKey => /^[a-z]\w*(\.\w+)+$/i.test(text);

/** The part of a schema that a path leads to. */
export function partAt(schema: z.ZodType | undefined, [key, ...rest]: readonly PropertyKey[]): z.ZodType | undefined {
  if (key === undefined || !schema) return schema;
  return partAt(typeof key === 'number' ? defOf(coreOf(schema)).element : shapeOf(schema)[String(key)], rest);
}

/** Which number is expected. */
function numberWords(schema: z.ZodType | undefined): IssueWords {
  const { minValue: min, maxValue: max } = limitsOf(schema);
  const isWhole = schema !== undefined && (coreOf(schema) as { isInt?: boolean | null }).isInt === true;
  const bounds = min === undefined ? (max === undefined ? 'none' : 'max') : max === undefined ? 'min' : 'both';
  return { key: isWhole ? 'invalid.whole' : 'invalid.number', params: { bounds, min: min ?? 0, max: max ?? 0 } };
}

const formats: Readonly<Record<string, TextKey>> = {
  datetime: 'invalid.moment',
  date: 'invalid.day',
  email: 'invalid.email',
  url: 'invalid.webUrl',
};

const isNumber = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined && ['number', 'int'].includes(defOf(coreOf(schema)).type ?? '');

/** What is wrong, as words: the schema's own key, or what zod's issue means to a person. */
export function issueWords(issue: Issue, value: unknown, schema: z.ZodType | undefined): IssueWords {
  if (isKey(issue.message)) {
    const params = (issue as { params?: Record<string, string | number> }).params;
    return params ? { key: issue.message, params } : issue.message;
  }
  const missing = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  if (missing && issue.code !== 'unrecognized_keys') return 'invalid.required';
  if (issue.code === 'too_small' || issue.code === 'too_big') {
    const { origin } = issue;
    if (isNumber(schema)) {
      const isMore = issue.code === 'too_small' && issue.inclusive === false;
      return isMore ? { key: 'invalid.moreThan', params: { limit: Number(issue.minimum) } } : numberWords(schema);
    }
    const limit = Number(issue.code === 'too_small' ? issue.minimum : issue.maximum);
    const of = origin === 'string' ? 'Text' : origin === 'array' || origin === 'set' ? 'List' : 'Number';
    return { key: `invalid.${issue.code === 'too_small' ? 'min' : 'max'}${of}` as const, params: { limit } };
  }
  if (issue.code === 'invalid_type') return isNumber(schema) ? numberWords(schema) : 'invalid.invalid_type';
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.flat().find((one) => one.code === 'invalid_format');
    if (inner) return issueWords(inner, value, schema);
  }
  if (issue.code === 'invalid_value') return 'invalid.invalid_value';
  return (issue.code === 'invalid_format' && formats[issue.format]) || 'invalid.invalid_format';
}
