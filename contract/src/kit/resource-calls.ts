import { z } from 'zod';
import { type CallSpec, type Can, call } from './call.ts';
import type { AnyEntity, EventsOf, Fields } from './entity.ts';
import { exporting, type exportOf } from './export.ts';
import { pageOf } from './page.ts';
import { ById, Id } from './schema.ts';
import { transition } from './state-machine.ts';

const One = ById;
type One = typeof One;

/** The calls that every plain row has, by what they are called where nothing else is said. */
interface Table<E extends AnyEntity> {
  page: CallSpec<E['query'], ReturnType<typeof pageOf<E['row']>>>;
  detail: CallSpec<One, E['row']>;
  export: CallSpec<ReturnType<typeof exportOf<E['criteria']>>, z.ZodObject<{ work: typeof Id }>>;
  add: CallSpec<E['add'], E['row']>;
  update: CallSpec<E['change'], E['row']>;
  delete: CallSpec<One, z.ZodNull>;
}
type Act = 'add' | 'update' | 'delete';
type Seen = 'page' | 'detail' | 'export';

export interface CrudOptions {
  /** Faults beyond those of the unique fields. */
  readonly faults?: Readonly<Partial<Record<Act, readonly string[]>>>;
  /** Adding and changing wait for something outside before they write: no transaction is held meanwhile. */
  readonly waits?: true;
  /** Whoever changes one proves who they are. */
  readonly stepUp?: true;
}

/** Who sees a row may page, open and export it; the acts that have a permission are there. */
export function crud<E extends AnyEntity, P extends { readonly see: Can } & { readonly [K in Act]?: Can }>(
  of: E,
  can: P,
  { faults = {}, waits, stepUp }: CrudOptions = {},
): Pick<Table<E>, Seen | (keyof P & Act)> {
  const taken = (isChange: boolean) =>
    Object.values(of.fields as Fields).flatMap(({ options }) => (options.unique && !(isChange && options.fixed) ? [options.unique] : []));
  const proved = stepUp ? { stepUp } : {};
  const how = { ...(waits ? ({ tx: 'own' } as const) : {}), ...proved };
  const table: Partial<Table<AnyEntity>> = {
    page: call({ can: can.see, reads: true, input: of.query, output: pageOf(of.row) }),
    detail: call({ can: can.see, reads: true, input: One, output: of.row }),
    export: exporting(can.see, of.criteria),
    ...(can.add
      ? { add: call({ can: can.add, input: of.add, output: of.row, faults: [...taken(false), ...(faults.add ?? [])], ...how }) }
      : {}),
    ...(can.update
      ? { update: call({ can: can.update, input: of.change, output: of.row, faults: [...taken(true), ...(faults.update ?? [])], ...how }) }
      : {}),
    ...(can.delete ? { delete: call({ can: can.delete, input: One, faults: faults.delete ?? [], ...proved }) } : {}),
  };
  return table as Pick<Table<E>, Seen | (keyof P & Act)>;
}

/** A call for each event that a person may bring about. */
export function moves<E extends AnyEntity, V extends EventsOf<E>>(
  of: E,
  can: Readonly<Record<V, Can>>,
): Record<V, CallSpec<One, E['row']>> {
  const { machine } = of;
  if (!machine) throw new Error(`${of.name} has no machine`);
  return Object.fromEntries(
    Object.entries<Can>(can).map(([event, needed]) => [event, transition(machine, event as never, needed, of.row)]),
  ) as Record<V, CallSpec<One, E['row']>>;
}

/** Those that may be chosen, for selects: at most 200, with what is needed to name them. */
type Shape<E extends AnyEntity> = E['row']['shape'];
export function picker<E extends AnyEntity, K extends keyof Shape<E> & string>(of: E, names: readonly K[]) {
  const shape: Record<string, z.ZodType> = of.row.shape;
  const brief = z.object({ id: Id, ...Object.fromEntries(names.map((name) => [name, shape[name]])) });
  return call({
    can: 'session',
    reads: true,
    input: z.strictObject({ text: z.string().trim().max(64).default('') }),
    output: z.array(brief as unknown as z.ZodObject<{ id: typeof Id } & Pick<Shape<E>, K>>),
  });
}
