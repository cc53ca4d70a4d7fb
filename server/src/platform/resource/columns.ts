import type { AnyEntity, Fields } from '@mooring/contract/kit/entity';
import { columnOf, type Field, stored } from '@mooring/contract/kit/field';
import { z } from 'zod';

export type RawRow = Readonly<Record<string, unknown>>;

const fieldsOf = (of: AnyEntity): [string, Field][] => Object.entries(of.fields as Fields);

/** A row as its call answers it. */
export const itemOf = (of: AnyEntity, row: RawRow): Record<string, unknown> => ({
  id: row.id,
  ...Object.fromEntries(fieldsOf(of).flatMap(([name, { kind }]) => (kind === 'asked' ? [] : [[name, row[columnOf(name)]]]))),
  ...('revision' in of.row.shape ? { revision: row.revision } : {}),
});

/** PostgreSQL takes a list of texts as an array; everything else that has parts is kept as JSON. */
const isJson = (schema: z.ZodType): boolean => {
  const value = stored(schema);
  const kept = value instanceof z.ZodNullable ? (value.unwrap() as z.ZodType) : value;
  return kept instanceof z.ZodArray ? isJson(kept.element as z.ZodType) : kept instanceof z.ZodObject || kept instanceof z.ZodRecord;
};

/** What an input writes; what it doesn't name stays. */
export const columnsOf = (of: AnyEntity, input: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(of).flatMap(([name, { kind, schema }]) => {
      if (kind !== 'written' || !(name in input)) return [];
      const value = input[name];
      return [[columnOf(name), value !== null && isJson(schema) ? JSON.stringify(value) : value]];
    }),
  );
