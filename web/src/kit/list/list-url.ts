import type { Call } from '@mooring/contract/kit/call';
import { metadataOf } from '@mooring/contract/kit/schema';
import { type DayRange, isWall, type MomentRange, momentsOf, ofDays, wallsOf } from '@mooring/contract/shared/date-range';
import type { z } from 'zod';

interface Def {
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
}
const defOf = (schema: z.ZodType) => (schema as unknown as { def: Def }).def;
function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  if (!schema) return {};
  const { shape, innerType } = defOf(schema);
  return shape ?? shapeOf(innerType);
}

/** The criteria fields of a list call, and those that it can sort by. */
export function querySchema(call: Pick<Call, 'input'>): { criteria: Record<string, z.ZodType>; page: Record<string, z.ZodType> } {
  const input = shapeOf(call.input);
  return { criteria: shapeOf(input.criteria), page: shapeOf(input.page) };
}

export type Criteria = Record<string, unknown>;
const filterOf = (schema: z.ZodType | undefined) => schema && metadataOf(schema)?.filter;
export const isRange = (schema: z.ZodType | undefined): boolean => ['range', 'days'].includes(filterOf(schema) ?? '');
/** From and to as the call takes them; nothing where neither is given. */
export function rangeFor(schema: z.ZodType | undefined, days: DayRange, timeZone: string): MomentRange | undefined {
  const range = filterOf(schema) === 'days' ? ofDays(days) : momentsOf(days, timeZone);
  return Object.keys(range).length > 0 ? range : undefined;
}

const guesses = (text: string): unknown[] => [
  text,
  ...(/^-?\d+(\.\d+)?$/.test(text) ? [Number(text)] : []),
  ...(text === 'true' ? [true] : text === 'false' ? [false] : []),
];

function fromText(schema: z.ZodType, text: string): unknown {
  const several = text.split(',').filter(Boolean);
  const fits = (value: unknown) => schema.safeParse(value).success;
  if (several.length > 1) {
    for (const values of [several, several.map(Number)]) if (fits({ in: values })) return { in: values };
  }
  return guesses(text).find(fits);
}

/** `?status=2,3&createdAt=2026-01-01..2026-01-31&text=abc` as criteria; a range may say minutes too, `2026-01-01T10:30..`. What doesn't fit the call is left out. */
export function readCriteria(call: Pick<Call, 'input'>, search: URLSearchParams, timeZone: string, mark = ''): Criteria {
  const criteria: Criteria = {};
  for (const [field, schema] of Object.entries(querySchema(call).criteria)) {
    const text = search.get(mark + field);
    if (text === null || text === '') continue;
    if (isRange(schema)) {
      const [from, to] = text.split('..');
      const range = rangeFor(schema, { from: from && isWall(from) ? from : undefined, to: to && isWall(to) ? to : undefined }, timeZone);
      if (range) criteria[field] = range;
      continue;
    }
    const value = fromText(schema, text);
    if (value !== undefined) criteria[field] = value;
  }
  return criteria;
}

function toText(value: unknown, timeZone: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  if ('in' in value) return (value.in as unknown[]).join(',');
  const { from, to } = wallsOf(value, timeZone);
  return from || to ? `${from ?? ''}..${to ?? ''}` : '';
}

/** The address with other criteria; the page begins anew. */
export function writeCriteria(search: URLSearchParams, change: Criteria, timeZone: string, mark = ''): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [field, value] of Object.entries(change)) {
    const text = toText(value, timeZone);
    if (text === '') next.delete(mark + field);
    else next.set(mark + field, text);
  }
  next.delete(`${mark}page`);
  next.delete(`${mark}row`);
  return next;
}

/** One value or several, as the criteria take them. */
export const exactOf = (values: readonly (string | number)[]): unknown =>
  values.length === 0 ? undefined : values.length === 1 ? values[0] : { in: [...values] };
export const valuesOf = (value: unknown): (string | number)[] =>
  value === undefined
    ? []
    : typeof value === 'object' && value !== null && 'in' in value
      ? (value.in as (string | number)[])
      : [value as string | number];

/** Filters and order of a list as a view keeps them: the words of its address, in an order of their own. */
export function queryIn(call: Pick<Call, 'input'>, search: URLSearchParams, mark = ''): string {
  const kept = new URLSearchParams();
  for (const name of [...Object.keys(querySchema(call).criteria), 'sort']) {
    const text = search.get(mark + name);
    if (text) kept.set(name, text);
  }
  return kept.toString();
}

/** The address with the filters and order of a view, and the names of those that the list takes no more. */
export function withQuery(
  call: Pick<Call, 'input'>,
  search: URLSearchParams,
  query: string,
  timeZone: string,
  mark = '',
): { readonly search: URLSearchParams; readonly lost: readonly string[] } {
  const { criteria, page } = querySchema(call);
  const kept = new URLSearchParams(query);
  const read = readCriteria(call, kept, timeZone);
  const isTaken = (name: string, text: string) =>
    name === 'sort' ? page.sort?.safeParse(text.replace(/^-/, '')).success === true : read[name] !== undefined;
  const next = new URLSearchParams(search);
  for (const name of [...Object.keys(criteria), 'sort', 'page', 'row']) next.delete(mark + name);
  const lost: string[] = [];
  for (const [name, text] of kept) {
    if (isTaken(name, text)) next.set(mark + name, text);
    else lost.push(name);
  }
  return { search: next, lost };
}
