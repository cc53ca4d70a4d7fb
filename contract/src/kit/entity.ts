import { z } from 'zod';
import { allowedActions } from './allowed-actions.ts';
import { bare, type Field, type FieldKind, stored } from './field.ts';
import { criteriaOf, filter, pageQuery } from './page.ts';
import { Day, Id, Moment, metadataOf, revises, revision } from './schema.ts';
import type { Machine } from './state-machine.ts';

export type Fields = Readonly<Record<string, Field>>;
type Of<F extends Fields, K extends FieldKind> = { [P in keyof F]: F[P]['kind'] extends K ? P : never }[keyof F];
type With<F extends Fields, O> = { [P in keyof F]: F[P]['options'] extends O ? P : never }[keyof F];
export type Output<F> = F extends Field<infer S> ? z.output<S> : never;

type RowShape<F extends Fields> = {
  [P in Exclude<keyof F, Of<F, 'asked'>>]: F[P]['kind'] extends 'written' ? z.ZodType<Output<F[P]>, Output<F[P]>> : F[P]['schema'];
};
type Written<F extends Fields> = { [P in Of<F, 'written' | 'asked'>]: F[P]['schema'] };
type Changed<F extends Fields> = Omit<Written<F>, With<F, { fixed: true }>>;
/** A row that is never edited has no revision. */
type Common<F extends Fields> = { id: typeof Id } & typeof allowedActions &
  ([keyof Changed<F>] extends [never] ? unknown : typeof revision);
type Revises = { id: typeof Id } & ReturnType<typeof revises>;

type Value<F> = NonNullable<Output<F>>;
type Bare<S> = S extends z.ZodDefault<infer I> | z.ZodNullable<infer I> ? Bare<I> : S;
type IsDay<F> = F extends { readonly schema: infer S } ? (Bare<S> extends typeof Day ? true : false) : false;
type FilterOf<F> =
  F extends Field<typeof Moment>
    ? ReturnType<typeof filter.moment>
    : IsDay<F> extends true
      ? ReturnType<typeof filter.days>
      : Value<F> extends boolean
        ? z.ZodBoolean
        : ReturnType<typeof filter.exact<z.ZodType<Value<F>, Value<F>>>>;
type Filters<F extends Fields, S extends string> = { [P in With<F, { filter: true }>]: FilterOf<F[P]> } & {
  [P in S]: ReturnType<typeof filter.text>;
};
type MachineOf<F extends Fields> = { [P in keyof F]: F[P] extends Field<z.ZodType, 'state', never, infer M> ? M : never }[keyof F];

export interface EntityOptions<F extends Fields, S extends string, T extends string> {
  /** Who sees and changes its rows (design 2): `owned` within the range, `inherited` also from below, `shared` by the whole installation. */
  readonly rowClass: 'owned' | 'inherited' | 'shared';
  /** The order of its lists: a field that sorts, descending with `-`. */
  readonly order: (With<F, { sort: true }> & string) | `-${With<F, { sort: true }> & string}`;
  /** The criterion that the search box fills, and the fields that it looks into. */
  readonly search?: Readonly<Record<S, readonly (keyof F & string)[]>>;
  /** What its text keys begin with, where that isn't its name. */
  readonly texts?: T;
  /** The text key of what many of it are called, where that isn't `<texts>.title`. */
  readonly title?: string;
}

export interface Entity<N extends string = string, F extends Fields = Fields, S extends string = string, T extends string = string> {
  readonly name: N;
  readonly fields: F;
  readonly rowClass: EntityOptions<F, S, T>['rowClass'];
  readonly texts: T;
  readonly title: string;
  /** The names of what sorts, the default order first. */
  readonly sorts: readonly [string, ...string[]];
  readonly search: Readonly<Partial<Record<string, readonly string[]>>>;
  readonly machine: MachineOf<F> | undefined;
  /** The field that holds the state. */
  readonly state: string | undefined;
  readonly row: z.ZodObject<RowShape<F> & Common<F>>;
  readonly add: z.ZodObject<Written<F>, z.core.$strict>;
  readonly change: z.ZodObject<Revises & Changed<F>, z.core.$strict>;
  readonly criteria: ReturnType<typeof criteriaOf<Filters<F, S>>>;
  readonly query: ReturnType<typeof pageQuery<Filters<F, S>, readonly [string, ...string[]]>>;
}
// biome-ignore lint/suspicious/noExplicitAny: of whatever fields; each use names what it reads of them
export type AnyEntity = Entity<string, any, any, string>;
export type RowOf<E extends AnyEntity> = z.output<E['row']>;
export type EventsOf<E extends AnyEntity> = E['machine'] extends Machine<string, infer V> | undefined ? V : never;

function filterOf({ schema }: Field): z.ZodType {
  const value = bare(schema);
  if (value === Moment) return filter.moment();
  if (value === Day) return filter.days();
  if (value instanceof z.ZodBoolean) return z.boolean();
  // A criterion names a row to look for, it doesn't act on it: one that isn't there finds nothing.
  return filter.exact(metadataOf(value)?.ref ? Id : value);
}

const pick = (fields: Fields, wanted: (field: Field) => boolean): [string, Field][] =>
  Object.entries(fields).filter(([, one]) => wanted(one));
const shapeOf = (entries: [string, Field][], of: (field: Field) => z.ZodType = (one) => one.schema) =>
  Object.fromEntries(entries.map(([name, one]) => [name, of(one)]));
const isWritten = ({ kind }: Field) => kind === 'written' || kind === 'asked';
const isRead = ({ kind }: Field) => kind !== 'asked';

/** A row, declared once: its schemas, inputs, criteria, columns, form, texts and export follow from its fields. */
export function entity<const N extends string, F extends Fields, const S extends string = never, const T extends string = N>(
  name: N,
  fields: F,
  options: EntityOptions<F, S, T>,
): Entity<N, F, S, T> {
  const search: Readonly<Record<string, readonly string[]>> = options.search ?? {};
  const filters = {
    ...Object.fromEntries(Object.keys(search).map((key) => [key, filter.text()])),
    ...shapeOf(
      pick(fields, (one) => one.options.filter === true),
      filterOf,
    ),
  };
  const order = String(options.order);
  const others = pick(fields, (one) => one.options.sort === true).map(([key]) => key);
  const sorts = [order, ...others.filter((key) => key !== order.replace(/^-/, ''))] as const;
  const ofState = pick(fields, (one) => one.kind === 'state')[0];
  const row = { id: Id, ...shapeOf(pick(fields, isRead), (one) => (one.kind === 'written' ? stored(one.schema) : one.schema)) };
  const changed = shapeOf(pick(fields, (one) => isWritten(one) && !one.options.fixed));
  const made = {
    name,
    fields,
    rowClass: options.rowClass,
    texts: options.texts ?? name,
    title: options.title ?? `${options.texts ?? name}.title`,
    sorts,
    search,
    machine: ofState?.[1].machine,
    state: ofState?.[0],
    row: z.object({ ...row, ...(Object.keys(changed).length > 0 ? revision : {}), ...allowedActions }),
    add: z.strictObject(shapeOf(pick(fields, isWritten))),
    change: z.strictObject({ id: Id, ...revises(name), ...changed }),
    criteria: criteriaOf(filters),
    query: pageQuery(filters, sorts),
  };
  // The same fields say both, here at run time and in the type above.
  return Object.freeze(made) as unknown as Entity<N, F, S, T>;
}
