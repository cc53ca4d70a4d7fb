import type { AnyEntity, Fields, RowOf } from '@mooring/contract/kit/entity';
import { bare, type Field } from '@mooring/contract/kit/field';
import { namesOf, textOf } from '@mooring/contract/kit/field-texts';
import { Moment } from '@mooring/contract/kit/schema';
import { z } from 'zod';
import type { TextKey } from '../../ui/words.ts';
import { DictLabel } from '../choices.ts';
import type { CellKind, Column, ColumnCommon } from '../list/types.ts';

type Keyed<R> = Partial<ColumnCommon<R>> & { readonly key: keyof R & string };
/** A column by its field alone, or with what is otherwise here. */
export type EntityColumn<R> = (keyof R & string) | Keyed<R> | Extract<Column<R>, { key: `_${string}` }>;

/** Not shown until the person chooses it. */
export const off = <K extends string>(key: K) => ({ key, off: true as const });

const widths: Partial<Record<CellKind, number>> = { moment: 170, code: 140, number: 110, yes: 110 };

function kindOf({ schema, options, machine }: Field, names: string | undefined): CellKind {
  const value = bare(schema);
  if (machine) return 'state';
  if (value === Moment) return 'moment';
  if (value instanceof z.ZodArray) return 'tags';
  if (value instanceof z.ZodBoolean) return 'yes';
  if (value instanceof z.ZodNumber) return 'number';
  if (names !== undefined) return 'name';
  return options.code ? 'code' : 'text';
}

/** A column as its field says it. */
function columnOf<E extends AnyEntity>(of: E, given: EntityColumn<RowOf<E>>, isFirst: boolean): Column<RowOf<E>> {
  const own = typeof given === 'string' ? { key: given } : given;
  const found = (of.fields as Fields)[own.key];
  if (!found) return own as Column<RowOf<E>>;
  const names = namesOf(of, own.key);
  const kind = kindOf(found, names);
  const { dict, sort } = found.options;
  const made = {
    title: textOf(of, own.key) as TextKey,
    kind,
    ...(isFirst ? { pinned: 'left', width: 200 } : { width: widths[kind] ?? 150 }),
    ...(names === undefined ? {} : { names }),
    ...(found.machine ? { machine: found.machine } : {}),
    ...(sort ? { sort: true } : {}),
    ...(dict ? { cell: (row: Record<string, unknown>) => <DictLabel type={dict} value={String(row[own.key] ?? '')} /> } : {}),
    ...own,
  };
  return made as unknown as Column<RowOf<E>>;
}

export const columnsOf = <E extends AnyEntity>(of: E, given: readonly EntityColumn<RowOf<E>>[]): Column<RowOf<E>>[] =>
  given.map((one, at) => columnOf(of, one, at === 0));
