import type { Tone } from '@mooring/contract/kit/state-machine';

export interface Series {
  readonly key: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
  /** `good` and `bad` are the specification's fills; others come from the palette in order. */
  readonly tone?: Extract<Tone, 'good' | 'bad' | 'wait' | 'ended'> | undefined;
  /** Of another measure than what is drawn: it stands in the table and the download alone. */
  readonly beside?: (value: number) => string;
}
export interface ChartData {
  /** What stands along the axis: days, versions, reasons. */
  readonly categories: readonly string[];
  readonly series: readonly Series[];
}

/** What is drawn of it. */
export const drawnOf = (data: ChartData): ChartData => ({ ...data, series: data.series.filter(({ beside }) => beside === undefined) });

export const isBlank = (data: ChartData): boolean =>
  data.categories.length === 0 || data.series.every((one) => one.values.every((value) => value === null || value === 0));

/** A cell that a spreadsheet would take for a formula is defused. */
const cell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The numbers of a chart, for a spreadsheet. */
export function toCsv(data: ChartData, head: string): string {
  const rows = [
    [head, ...data.series.map((one) => one.name)],
    ...data.categories.map((name, at) => [name, ...data.series.map((one) => one.values[at] ?? null)]),
  ];
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}
