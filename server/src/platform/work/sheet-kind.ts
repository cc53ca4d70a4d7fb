import type { ImportOutcome } from '@mooring/contract/kit/import';
import type { TextKey } from '@mooring/contract/texts';
import type { z } from 'zod';
import type { Ctx } from '../context.ts';
import { type Title, titleIn } from '../texts/title.ts';
import { t } from '../texts/translate.ts';
import type { OddCell } from './parse-xlsx.ts';
import type { Line } from './sheet-lines.ts';

type Words = NonNullable<z.output<typeof ImportOutcome>['wrong'][number]['words']>;
export interface WrongCell<C extends string> {
  readonly column: C;
  readonly fault: string;
  /** What stood there, where it isn't handed back in its cell. */
  readonly value?: string | undefined;
  /** What a form would say of it. */
  readonly words?: Words | undefined;
}
/** What a row would do. `row` is there where nothing is wrong with it. */
export interface Judged<C extends string, Row> {
  readonly bad: readonly WrongCell<C>[];
  readonly row: Row | undefined;
  /** It says what isn't there yet: its changes are its cells. */
  readonly isNew?: boolean;
  /** What it is called among changes, where its key alone doesn't say it. */
  readonly label?: string;
  /** Of what is there already. */
  readonly changes?: readonly { readonly column: C; readonly from: string; readonly to: string }[];
}
/** What became of a row: the key of a word, or why it was left out after all. */
export type Written = { readonly word: TextKey } | { readonly fault: string };

/** What is taken from files of many rows. */
export interface SheetKind<C extends string, Given, Row> {
  /** Name of its job. */
  readonly job: string;
  readonly title: TextKey;
  /** In the log: "import: 12 terminals of devices.xlsx". */
  readonly things: string;
  readonly fileName: string;
  readonly titles: Readonly<Record<C, Title>>;
  /** Columns of an export that nothing is taken from: they may stay in the file. */
  readonly passed?: readonly Title[];
  /** What a row is known by. */
  readonly key: C;
  readonly needed: readonly C[];
  readonly rows: number;
  readonly given: z.ZodType<Given>;
  readonly template: (ctx: Ctx, given: Given) => Promise<{ columns: readonly C[]; rows: readonly (readonly string[])[] }>;
  /** Whether it may be done still when the job comes to it. */
  readonly may: (ctx: Ctx) => boolean;
  /** Looks at rows, one answer each, in their order; nothing is written here. One judge sees the whole of a file. */
  readonly judge: (ctx: Ctx, given: Given, columns: readonly C[]) => (lines: readonly Line<C>[]) => Promise<readonly Judged<C, Row>[]>;
  /** Rows that are there already, of a file that comes in as a whole: all are held first, in one order, so that two files don't wait for each other. */
  readonly held?: { readonly id: (row: Row) => number; readonly hold: (ctx: Ctx, ids: readonly number[]) => Promise<unknown> };
  /** Rows of the whole installation: they are written beside the policy. */
  readonly shared?: true;
  /** Some rows at once, in a transaction; one answer each, in their order. */
  readonly write: (ctx: Ctx, rows: readonly Row[]) => Promise<readonly Written[]>;
  /** Lists that show them. */
  readonly touches: readonly string[];
}

const oddFaults: Readonly<Record<OddCell, string>> = {
  digits: 'SHEET_DIGITS',
  date: 'SHEET_DATE',
  formula: 'SHEET_FORMULA',
  text: 'SHEET_TEXT',
  long: 'SHEET_LONG',
};
const VALUE = 100;
/** Cells that aren't what was meant are handed back empty: the report would make good texts of them. */
export const cellsOf = <C extends string>(columns: readonly C[], line: Line<C> | undefined): string[] =>
  columns.map((column) => (line?.odd[column] ? '' : (line?.text[column] ?? '')));

/** Cells that the program changed are wrong, whatever they look like now. */
export async function judged<C extends string, Row>(
  judge: (lines: readonly Line<C>[]) => Promise<readonly Judged<C, Row>[]>,
  lines: readonly Line<C>[],
): Promise<readonly Judged<C, Row>[]> {
  const found = await judge(lines);
  return found.map((one, at) => {
    const odd = Object.entries<OddCell | undefined>(lines[at]?.odd ?? {}).flatMap(([column, why]) =>
      why ? [{ column: column as C, fault: oddFaults[why], value: (lines[at]?.text[column as C] ?? '').slice(0, VALUE) }] : [],
    );
    if (odd.length === 0) return one;
    return { bad: [...odd, ...one.bad.filter(({ column }) => !odd.some((cell) => cell.column === column))], row: undefined };
  });
}

/** In words, as its cell of a report says it. */
export const wordsOf = <C extends string>(lang: string, titles: Readonly<Record<C, Title>>, bad: readonly WrongCell<C>[]): string =>
  bad
    .map(({ column, fault, words, value }) => {
      const said = words ? t(lang, words.key, words.params) : t(lang, `fault.${fault}`);
      return `${titleIn(lang, titles[column])}: ${said}${value ? ` (${value})` : ''}`;
    })
    .join(' ');
