import type { AnyEntity, Fields } from '@mooring/contract/kit/entity';
import { bare, type Field } from '@mooring/contract/kit/field';
import { namesOf, textOf } from '@mooring/contract/kit/field-texts';
import { Moment } from '@mooring/contract/kit/schema';
import type { TextKey } from '@mooring/contract/texts';
import { t } from '../texts/translate.ts';
import type { Cell } from '../work/defuse.ts';
import type { Exporter } from '../work/exporter.ts';

function cellOf(value: unknown, { schema, machine }: Field, names: string | undefined, lang: string): Cell {
  if (value === null || value === undefined) return null;
  if (machine) return t(lang, `life.${machine.name}.${machine.byCode[String(value)]}`);
  if (Array.isArray(value)) return value.map((one) => cellOf(one, { kind: 'read', schema, options: {} }, names, lang)).join(', ');
  if (names !== undefined) return t(lang, `${names}${value}`);
  if (typeof value === 'boolean') return t(lang, value ? 'kit.yes' : 'kit.no');
  if (bare(schema) === Moment) return new Date(String(value));
  return typeof value === 'object' ? JSON.stringify(value) : (value as Cell);
}

/** The columns of a row as cells, in the person's language. */
export const exportColumns = (of: AnyEntity): Exporter<Record<string, unknown>>['columns'] =>
  Object.fromEntries(
    Object.entries(of.fields as Fields)
      .filter(([, { kind }]) => kind !== 'asked')
      .map(([name, one]) => {
        const names = namesOf(of, name);
        return [name, { title: textOf(of, name) as TextKey, cell: (row, lang) => cellOf(row[name], one, names, lang) }];
      }),
  );
