import type { AnyEntity, Fields } from '@mooring/contract/kit/entity';
import { bare, type Field } from '@mooring/contract/kit/field';
import { namesOf, textOf } from '@mooring/contract/kit/field-texts';
import { metadataOf } from '@mooring/contract/kit/schema';
import { z } from 'zod';
import type { TextKey } from '../../ui/words.ts';
import { useDepts, useDict, useFirms } from '../choices.ts';
import type { FieldSpec, Values } from '../form/types.ts';
import type { Filter } from '../list/types.ts';

type Input<E extends AnyEntity> = z.input<E['add']>;
/** A field of the form by its name alone, or with what is otherwise here. */
export type EntityField<E extends AnyEntity> =
  | (keyof Input<E> & string)
  | (Partial<FieldSpec<Input<E>>> & { readonly name: keyof Input<E> & string });

/** Rows that a field may name, by their entity. */
const refChoices: Readonly<Record<string, FieldSpec['useChoices']>> = { dept: useDepts, firm: useFirms };

/** Where the values of a field are chosen from, if they are. */
function choicesOf({ schema, options }: Field): Pick<FieldSpec, 'kind' | 'useChoices'> {
  const { dict } = options;
  if (dict !== undefined) return { kind: 'one', useChoices: (text) => useDict(dict, text) };
  const useChoices = refChoices[metadataOf(bare(schema))?.ref ?? ''];
  return useChoices ? { kind: 'one', useChoices } : {};
}

function fieldOf<E extends AnyEntity>(of: E, given: EntityField<E>): FieldSpec {
  const own = typeof given === 'string' ? { name: given } : given;
  const found = (of.fields as Fields)[own.name];
  if (!found) return own as unknown as FieldSpec;
  const names = namesOf(of, own.name);
  const label = textOf(of, own.name);
  const { help } = found.options;
  const made = {
    label: label as TextKey,
    ...(help ? { help: (help === true ? `${label}.help` : help) as TextKey } : {}),
    ...(names === undefined ? {} : { names, kind: bare(found.schema) instanceof z.ZodArray ? 'multi' : 'one' }),
    ...choicesOf(found),
    // What is asked for once has no value to be edited.
    ...(found.kind === 'asked' && found.options.fixed ? { when: (values: Values) => !('id' in values) } : {}),
    ...own,
  };
  return made as unknown as FieldSpec;
}

export const fieldsOf = <E extends AnyEntity>(of: E, given: readonly EntityField<E>[]): FieldSpec[] => given.map((one) => fieldOf(of, one));

/** The values of a row that its form shows, and what it can't change of them. */
export const valuesOf = (of: AnyEntity, row: Readonly<Record<string, unknown>>): Values =>
  Object.fromEntries(Object.entries(of.fields as Fields).flatMap(([name, { kind }]) => (kind === 'written' ? [[name, row[name]]] : [])));
export const fixedOf = (of: AnyEntity): string[] =>
  Object.entries(of.fields as Fields).flatMap(([name, { kind, options }]) => (kind === 'written' && options.fixed ? [name] : []));

/** A filter for each field that filters. */
export const filtersOf = (of: AnyEntity): Filter<never>[] =>
  Object.entries(of.fields as Fields).flatMap(([name, one]) => {
    if (!one.options.filter) return [];
    const names = namesOf(of, name);
    const { useChoices } = choicesOf(one);
    const made = {
      field: name,
      label: textOf(of, name) as TextKey,
      ...(one.machine ? { machine: one.machine } : {}),
      ...(names === undefined ? {} : { names }),
      ...(useChoices ? { useChoices } : {}),
      ...(bare(one.schema) instanceof z.ZodBoolean ? { kind: 'yes' } : {}),
    };
    return [made as unknown as Filter<never>];
  });
