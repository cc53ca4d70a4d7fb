import type { Exact, Range } from '@mooring/contract/kit/page';
import { type RawBuilder, sql } from 'kysely';

/** Conditions of the specification's criteria, ready for `where`; `undefined` where the criterion isn't given. */
export type Condition = RawBuilder<boolean> | undefined;

export const escapeLike = (text: string) => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

/** A part of the text, any case. Through a policy this can't use an index: on large tables use `candidates`. */
export const contains = (column: string, text: string | undefined): Condition =>
  text === undefined ? undefined : sql<boolean>`${sql.ref(column)} ilike ${`%${escapeLike(text)}%`}`;

const MOST_WORDS = 10;
/** As a picker writes them: "Smart POS · 2.0 (TA)" is found by what it says. */
const wordsIn = (text: string): string[] =>
  text
    .split(/[\s()·]+/)
    .filter(Boolean)
    .slice(0, MOST_WORDS);

/** Each word of the text is a part of one of the columns, whichever: "smart pos 2.0" is a product and its version. */
export function containsWords(columns: readonly (string | RawBuilder<unknown>)[], text: string | undefined): Condition {
  if (text === undefined) return undefined;
  const words = wordsIn(text);
  return all(
    ...(words.length > 0 ? words : [text]).map((word) => {
      const inOne = columns.map((column) => sql<boolean>`${columnOf(column)} ilike ${partPattern(word)}`);
      return sql<boolean>`(${sql.join(inOne, sql` or `)})`;
    }),
  );
}

/** What a criterion names: one value, or `in` several. */
export const valuesOf = <T>(of: Exact<T> | undefined): T[] | undefined =>
  of === undefined ? undefined : typeof of === 'object' && of !== null && 'in' in of ? (of as { in: T[] }).in : [of as T];

/** A column by its name, or what is made of several. */
const columnOf = (column: string | RawBuilder<unknown>) => (typeof column === 'string' ? sql.ref(column) : column);
export const exact = <T>(column: string | RawBuilder<unknown>, of: Exact<T> | undefined): Condition => {
  if (of === undefined) return undefined;
  if (typeof of === 'object' && of !== null && 'in' in of)
    return sql<boolean>`${columnOf(column)} in (${sql.join((of as { in: T[] }).in)})`;
  return sql<boolean>`${columnOf(column)} = ${of}`;
};

export const range = <T>(column: string, of: Range<T> | undefined): Condition => {
  if (of === undefined) return undefined;
  const from = of.greaterThanOrEqual === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} >= ${of.greaterThanOrEqual}`;
  const to = of.lessThanOrEqual === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} <= ${of.lessThanOrEqual}`;
  return sql<boolean>`(${from} and ${to})`;
};

/** All given conditions together; true where none is given. */
export const all = (...conditions: readonly Condition[]): RawBuilder<boolean> => {
  const given = conditions.filter((one): one is RawBuilder<boolean> => one !== undefined);
  return given.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(given, sql` and `)})`;
};

/** The ILIKE pattern of a part, with its own signs escaped. */
export const partPattern = (text: string): string => `%${escapeLike(text)}%`;
