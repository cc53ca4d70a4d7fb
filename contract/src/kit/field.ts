import { z } from 'zod';
import { Id, metadataOf } from './schema.ts';
import type { Machine } from './state-machine.ts';
import { stateOf } from './state-machine.ts';

/** `written` by people, `read` from the row's own table, `joined` from another one, `state` of its machine, `asked` for and not kept. */
export type FieldKind = 'written' | 'read' | 'joined' | 'state' | 'asked';

/** What a field is beyond its schema. Everything that shows, sorts, filters, checks or exports it reads this. */
export interface FieldOptions {
  /** Said when the row is added, and never changed. */
  readonly fixed?: true;
  /** The fault where another row has this value. */
  readonly unique?: string;
  readonly sort?: true;
  readonly filter?: true;
  /** The text key of its name, where that isn't `<entity>.<field>`. */
  readonly text?: string;
  /** What the text keys of its values begin with, where that isn't `<entity>.<field>.`. */
  readonly names?: string;
  /** The form says more about it: under `<its text key>.help`, or under another key. */
  readonly help?: true | string;
  /** The code list that its values come from. */
  readonly dict?: string;
  /** A code of machines, shown in one width and copied. */
  readonly code?: true;
}

export interface Field<
  S extends z.ZodType = z.ZodType,
  K extends FieldKind = FieldKind,
  O extends FieldOptions = FieldOptions,
  M extends Machine = Machine,
> {
  readonly kind: K;
  readonly schema: S;
  readonly options: O;
  readonly machine?: M;
}

const fieldOf =
  <K extends FieldKind>(kind: K) =>
  <S extends z.ZodType, const O extends FieldOptions = Record<never, never>>(schema: S, options?: O): Field<S, K, O, never> =>
    Object.freeze({ kind, schema, options: (options ?? {}) as O });

/** A column that people write. Its schema is what is taken; what stands in the row is its type alone. */
export const field = fieldOf('written');
/** A column of the row's own table that nobody writes by hand. */
export const read = fieldOf('read');
/** What another table says about the row. */
export const joined = fieldOf('joined');
/** An input of the form that is no column. */
export const asked = fieldOf('asked');

/** The column that holds the state of a machine. */
export const state = <M extends Machine, const O extends FieldOptions = Record<never, never>>(
  machine: M,
  options?: O,
): Field<ReturnType<typeof stateOf>, 'state', O, M> =>
  Object.freeze({ kind: 'state', schema: stateOf(machine), options: (options ?? {}) as O, machine });

interface Def {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly out?: z.ZodType;
  readonly element?: z.ZodType;
  readonly keyType?: z.core.$ZodRecordKey;
  readonly valueType?: z.ZodType;
}
const defOf = (schema: z.ZodType): Def => (schema as unknown as { def: Def }).def;

/** What a value is once it is there: without defaults and without what is optional. */
export function bare(schema: z.ZodType): z.ZodType {
  const { innerType } = defOf(schema);
  return innerType ? bare(innerType) : schema;
}

/** What a stored value is, whatever the rules say today about writing it: older rows keep what they have. */
export function stored(schema: z.ZodType): z.ZodType {
  const { type, innerType, out, element, keyType, valueType } = defOf(schema);
  if (type === 'nullable' && innerType) return stored(innerType).nullable();
  if (innerType) return stored(innerType);
  if (out) return stored(out);
  if (element) return z.array(stored(element));
  if (type === 'record' && keyType && valueType) return z.record(keyType, stored(valueType));
  if (type === 'string') return z.string();
  if (metadataOf(schema)?.ref) return Id;
  if (type === 'number') return (schema as { isInt?: boolean }).isInt === false ? z.number() : z.int();
  return schema;
}

/** `packageKinds` → `package_kinds`. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
