import type { Call, OutputOf } from '@mooring/contract/kit/call';
import type { TextKey } from '@mooring/contract/texts';
import { cellOf, type Words } from './cell.ts';
import { type Exporter, listExporter } from './exporter.ts';

/** A column's head; with it what its values are called. */
type Column = TextKey | readonly [title: TextKey, words: Words];
type RowIn<C extends Call> = OutputOf<C> extends { content: readonly (infer R)[] } ? R : never;

interface RowExport<C extends Call> {
  readonly title: TextKey;
  readonly page: unknown;
  readonly sort: string;
  readonly columns: { readonly [K in keyof RowIn<C> & string]?: Column };
}

/** Of a list whose values say by themselves how they are written. */
export function rowExporter<C extends Call>(_list: C, call: Pick<Call, 'path' | 'can'>, { columns, ...of }: RowExport<C>): Exporter {
  const written = Object.entries<Column | undefined>(columns).flatMap(([key, column]) => {
    if (column === undefined) return [];
    const [title, words] = typeof column === 'string' ? [column, undefined] : column;
    const cell = (row: Record<string, unknown>, lang: string) => cellOf(row[key], words, lang);
    return [[key, { title, cell }] as const];
  });
  return listExporter(call, { ...of, columns: Object.fromEntries(written) });
}
