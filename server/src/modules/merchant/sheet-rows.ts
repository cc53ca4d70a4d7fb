import type { AnyEntity } from '@mooring/contract/kit/entity';
import { Fault } from '@mooring/contract/kit/fault';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { unlessRefused } from '../../platform/db/constraint.ts';
import { columnsOf } from '../../platform/resource/columns.ts';
import { readCells, type SheetLine, type Wrong } from '../../platform/work/import-sheet.ts';

const numberIn = (text: string) => (text === '' ? null : Number(text.replace(',', '.')));
/** Positions as sheets have them, with a comma in some countries. */
export const numbersOf = ({ lat, lon }: { lat: string; lon: string }) => ({ lat: numberIn(lat), lon: numberIn(lon) });

/** What stands in a row, or each of its cells that is wrong; `read` are the cells that aren't plain texts. */
export function checkCells<S extends z.ZodObject, C extends string>(
  schema: S,
  { number, text }: SheetLine<C>,
  read: Readonly<Record<string, unknown>>,
): { values: z.output<S> | undefined; bad: Wrong[] } {
  const cells = Object.fromEntries(Object.entries({ ...text, ...read }).filter(([name]) => name in schema.shape));
  const { values, bad } = readCells(schema, cells, number);
  const half = (cells.lat === null) !== (cells.lon === null) ? (cells.lat === null ? 'lat' : 'lon') : undefined;
  if (half !== undefined && !bad.some((one) => one.column === half))
    bad.push({ row: number, column: half, fault: 'BAD_INPUT', words: { key: 'invalid.position', params: {} } });
  return { values: bad.length === 0 ? values : undefined, bad };
}

/** All rows in one statement; a number that somebody took meanwhile refuses the whole. */
export async function takeRows(
  ctx: Ctx,
  table: string,
  of: AnyEntity,
  taken: string,
  rows: readonly (Record<string, unknown> & { readonly own: Record<string, unknown> })[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const values = rows.map(({ own, ...row }) => ({ ...columnsOf(of, row), ...own }) as Record<string, unknown>);
  const names = Object.keys(values[0] ?? {});
  const lines = values.map((row): RawBuilder<unknown> => sql`(${sql.join(names.map((name) => row[name]))})`);
  const insert = sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))}) values ${sql.join(lines)}`;
  await unlessRefused(
    ctx.db,
    () => insert.execute(ctx.db),
    ({ kind }) => (kind === 'unique' ? new Fault(taken) : undefined),
  );
  await ctx.invalidate(ctx.db, '/merchant');
  await ctx.invalidate(ctx.db, '/shop');
}
