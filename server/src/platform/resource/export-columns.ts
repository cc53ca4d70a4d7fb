import type { AnyEntity, Fields } from '@mooring/contract/kit/entity';
import { bare, type Field } from '@mooring/contract/kit/field';
import { namesOf, textOf } from '@mooring/contract/kit/field-texts';
import { Moment } from '@mooring/contract/kit/schema';
import type { TextKey } from '@mooring/contract/texts';
import { cellOf } from '../work/cell.ts';
import type { Exporter } from '../work/exporter.ts';

const momentOf = (value: unknown, { schema }: Field) =>
  value !== null && value !== undefined && bare(schema) === Moment ? new Date(String(value)) : value;

/** The columns of a row as cells, in the person's language. */
export const exportColumns = (of: AnyEntity): Exporter<Record<string, unknown>>['columns'] =>
  Object.fromEntries(
    Object.entries(of.fields as Fields)
      .filter(([, { kind }]) => kind !== 'asked')
      .map(([name, one]) => {
        const names = namesOf(of, name);
        return [
          name,
          { title: textOf(of, name) as TextKey, cell: (row, lang) => cellOf(momentOf(row[name], one), one.machine ?? names, lang) },
        ];
      }),
  );
