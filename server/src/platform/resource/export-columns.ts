import type { AnyEntity, Fields } from '@mooring/contract/kit/entity';
import { bare, type Field } from '@mooring/contract/kit/field';
import { namesOf, textOf } from '@mooring/contract/kit/field-texts';
import type { Page } from '@mooring/contract/kit/page';
import { Moment } from '@mooring/contract/kit/schema';
import type { TextKey } from '@mooring/contract/texts';
import type { Ctx } from '../context.ts';
import { dictLabels } from '../texts/dict-label.ts';
import { cellOf } from '../work/cell.ts';
import type { Cell } from '../work/defuse.ts';
import type { Exporter } from '../work/exporter.ts';
import type { RawRow } from './columns.ts';
import type { Listed } from './select-rows.ts';

const momentOf = (value: unknown, { schema }: Field) =>
  value !== null && value !== undefined && bare(schema) === Moment ? new Date(String(value)) : value;

export type OwnCells = Readonly<Record<string, (value: never, lang: string, row: never) => Cell>> | undefined;

/** The columns of a row as cells, in the person's language. */
export const exportColumns = (of: AnyEntity, own: OwnCells = {}): Exporter<Record<string, unknown>>['columns'] =>
  Object.fromEntries(
    Object.entries(of.fields as Fields)
      .filter(([, { kind }]) => kind !== 'asked')
      .map(([name, one]) => {
        const names = namesOf(of, name);
        return [
          name,
          {
            title: textOf(of, name) as TextKey,
            cell: (row, lang) =>
              own[name]?.(row[name] as never, lang, row as never) ?? cellOf(momentOf(row[name], one), one.machine ?? names, lang),
          },
        ];
      }),
  );

/** A page whose values of picklists are what they are called in the person's language. */
export function inWords(of: AnyEntity, page: (ctx: Ctx, input: Listed) => Promise<Page<RawRow>>): typeof page {
  const listed = Object.entries(of.fields as Fields).flatMap(([name, { options }]) =>
    options.dict ? [[name, options.dict] as const] : [],
  );
  if (listed.length === 0) return page;
  return async (ctx, input) => {
    const found = await page(ctx, input);
    const labels = await dictLabels(
      ctx.db,
      ctx.lang,
      listed.map(([, dict]) => dict),
    );
    const worded = (row: RawRow) =>
      Object.fromEntries(listed.map(([name, dict]) => [name, labels.get(dict)?.get(String(row[name])) ?? row[name]]));
    return { ...found, content: found.content.map((row) => ({ ...row, ...worded(row) })) };
  };
}
