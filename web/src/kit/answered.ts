import { coreOf, defOf, shapeOf } from '@mooring/contract/kit/issue-words';
import type { z } from 'zod';

interface Row {
  readonly id: unknown;
  readonly revision?: number;
}
const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && 'id' in value;
const revisionOf = ({ revision = 0 }: Row): number => revision;

/** An answer is a row, or a list or a page of rows. */
const rowSchemaOf = (schema: z.ZodType): z.ZodType => defOf(coreOf(shapeOf(schema).content ?? schema)).element ?? schema;

/** Fields that both have, where one is the other with more: rows of something else share some by chance. */
function sharedFields(one: z.ZodType, other: z.ZodType): ReadonlySet<string> {
  const [small = {}, large = {}] = [shapeOf(one), shapeOf(other)].sort((a, b) => Object.keys(a).length - Object.keys(b).length);
  const names = Object.keys(small);
  const isSame = one === other || ('revision' in small && names.every((name) => small[name] === large[name]));
  return new Set(isSame ? names : []);
}

type Change = (row: Row) => Row;
function mapAll(rows: readonly unknown[], change: Change): readonly unknown[] {
  const made = rows.map((row) => (isRow(row) ? change(row) : row));
  return made.some((row, at) => row !== rows[at]) ? made : rows;
}

/** The same where nothing changes. */
function mapRows(shown: unknown, change: Change): unknown {
  if (Array.isArray(shown)) return mapAll(shown, change);
  if (typeof shown !== 'object' || shown === null) return shown;
  if (!('content' in shown) || !Array.isArray(shown.content)) return isRow(shown) ? change(shown) : shown;
  const content = mapAll(shown.content, change);
  return content === shown.content ? shown : { ...shown, content };
}

/** What is shown, with the row that a change answered in the place of the one of before: alone, on its page or in its list. */
export function withAnswer(shown: unknown, schema: z.ZodType, answer: unknown, answerSchema: z.ZodType): unknown {
  if (!isRow(answer)) return shown;
  const names = sharedFields(rowSchemaOf(schema), answerSchema);
  if (!names.has('id')) return shown;
  const fresh = Object.fromEntries(Object.entries(answer).filter(([name]) => names.has(name)));
  return mapRows(shown, (row) => (row.id === answer.id && revisionOf(row) <= revisionOf(answer) ? { ...row, ...fresh } : row));
}

/** An answer that was read before a change and comes after the change's own takes nothing back. */
export function notOlder(before: unknown, found: unknown): unknown {
  const known = new Map<unknown, Row>();
  mapRows(before, (row) => {
    if (row.revision !== undefined) known.set(row.id, row);
    return row;
  });
  const newer = (row: Row) => {
    const shown = known.get(row.id);
    return shown && revisionOf(shown) > revisionOf(row) ? shown : row;
  };
  return known.size === 0 ? found : mapRows(found, newer);
}
