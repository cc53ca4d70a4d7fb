import { MOST_GROUPS } from '@mooring/contract/device/group-calls';
import { issueWords, partAt } from '@mooring/contract/kit/issue-words';
import type { z } from 'zod';
import { t } from '../../../platform/texts/translate.ts';
import type { WrongCell } from '../../../platform/work/sheet-kind.ts';

export const isManyGroups = (ids: readonly number[]): boolean => ids.length > MOST_GROUPS;

/** What a row's cells say, or those that the schema refuses, each once. */
export function readCells<C extends string, S extends z.ZodType>(
  schema: S,
  cells: Readonly<Record<string, unknown>>,
): { values: z.output<S> | undefined; bad: WrongCell<C>[] } {
  const read = schema.safeParse(cells);
  if (read.success) return { values: read.data, bad: [] };
  const found = new Map<string, WrongCell<C>>();
  for (const issue of read.error.issues) {
    const column = String(issue.path[0]);
    if (found.has(column)) continue;
    const said = issueWords(issue, cells[column], partAt(schema, issue.path));
    const words = typeof said === 'string' ? { key: said, params: {} } : said;
    found.set(column, { column: column as C, fault: 'BAD_INPUT', words });
  }
  return { values: undefined, bad: [...found.values()] };
}

const same = (lang: string, text: string, key: 'kit.yes' | 'kit.no') =>
  [lang, 'en', 'zh-CN'].some((one) => t(one, key).toLowerCase() === text.toLowerCase());
/** Undefined where it is neither. */
export const yesNo = (lang: string, text: string | undefined): boolean | undefined =>
  !text || text === '0' || same(lang, text, 'kit.no') ? false : text === '1' || same(lang, text, 'kit.yes') ? true : undefined;
