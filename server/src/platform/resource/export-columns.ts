import type { AnyEntity, Fields } from '@mooring/contract/kit/entity';
import { bare, type Field } from '@mooring/contract/kit/field';
import { namesOf, textOf } from '@mooring/contract/kit/field-texts';
import { Moment } from '@mooring/contract/kit/schema';
import type { TextKey } from '@mooring/contract/texts';
import { cellOf } from '../work/cell.ts';
import type { Cell } from '../work/defuse.ts';
import type { Exporter } from '../work/exporter.ts';

const momentOf = (value: unknown, { schema }: Field) =>
  value !== null && value !== undefined && bare(schema) === Moment ? new Date(String(value)) : value;

export type OwnCells = Readonly<Record<string, (value: never) => Cell>> | undefined;

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
            cell: (row, lang) => own[name]?.(row[name] as never) ?? cellOf(momentOf(row[name], one), one.machine ?? names, lang),
          },
        ];
      }),
  );
