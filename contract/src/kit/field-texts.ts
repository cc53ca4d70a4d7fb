import { z } from 'zod';
import type { AnyEntity, Fields, Output } from './entity.ts';
import { bare, type Field } from './field.ts';

type Literal<V> = V extends readonly (infer I)[] ? Literal<I> : V extends string ? (string extends V ? never : V) : never;
/** The texts that a field needs in its domain's own table. */
type Keys<T extends string, P extends string, F extends Field> =
  | (F['options'] extends { text: string } ? never : `${T}.${P}`)
  | (F['options'] extends { text: string } ? never : F['options'] extends { help: true } ? `${T}.${P}.help` : never)
  | (F['kind'] extends 'state' ? never : F['options'] extends { names: string } ? never : `${T}.${P}.${Literal<NonNullable<Output<F>>>}`);
type KeysOf<T extends string, F extends Fields> = { [P in keyof F & string]: Keys<T, P, F[P]> }[keyof F & string];

/** The texts of a row's fields: `texts({ … }) satisfies FieldTexts<typeof Product>` doesn't compile where one is missing. */
export type FieldTexts<E extends AnyEntity> = Readonly<Record<KeysOf<E['texts'], E['fields']>, readonly [en: string, zh: string]>>;

const fieldsOf = (of: AnyEntity): Fields => of.fields;

/** The text key of a field's name. */
export const textOf = (of: AnyEntity, name: string): string => fieldsOf(of)[name]?.options.text ?? `${of.texts}.${name}`;

/** What the text keys of a field's values begin with; undefined where its values are no words. */
export function namesOf(of: AnyEntity, name: string): string | undefined {
  const found = fieldsOf(of)[name];
  if (!found || found.kind === 'state') return undefined;
  const value = bare(found.schema);
  const each = value instanceof z.ZodArray ? bare(value.element as z.ZodType) : value;
  return each instanceof z.ZodEnum ? (found.options.names ?? `${of.texts}.${name}.`) : undefined;
}
