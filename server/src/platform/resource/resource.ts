import type { Call } from '@mooring/contract/kit/call';
import type { AnyEntity, EventsOf } from '@mooring/contract/kit/entity';
import type { ExportInput } from '@mooring/contract/kit/export';
import type { Fault } from '@mooring/contract/kit/fault';
import { columnOf } from '@mooring/contract/kit/field';
import type { Page } from '@mooring/contract/kit/page';
import type { Machine } from '@mooring/contract/kit/state-machine';
import type { TextKey } from '@mooring/contract/texts';
import type { DB } from '@mooring/database/tables';
import type { Selectable, SelectQueryBuilder } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../allowed-actions.ts';
import type { Ctx, Db } from '../context.ts';
import type { Condition } from '../db/criteria.ts';
import { type StatefulTable, statefulTable } from '../db/move.ts';
import type { Handler, Route } from '../module.ts';
import type { Cell } from '../work/defuse.ts';
import { type Exporter, startExport } from '../work/exporter.ts';
import { itemOf, type RawRow } from './columns.ts';
import { exportColumns, inWords, type OwnCells } from './export-columns.ts';
import { type Criterion, type Listed, listRows, pageRows, rowBy, rowsBy, type Selecting } from './select-rows.ts';
import { type Acting, addRow, changeRow, deleteRow, moveRow, type Writing } from './write-rows.ts';

type Table = keyof DB & string;
/** A row as its table has it. */
export type RowIn<T extends Table> = Selectable<DB[T]>;
type Rows<E extends AnyEntity> = StatefulTable<string, EventsOf<E>>;
type Group = Readonly<Record<string, Call>>;
type Derived<E extends AnyEntity> = 'page' | 'detail' | 'add' | 'update' | 'delete' | 'export' | 'list' | EventsOf<E>;
type Handlers<G, N extends keyof G> = { readonly [K in N]: Handler<G[K]> };

interface Options<E extends AnyEntity, T extends Table> {
  readonly table: T;
  /** Thousands of rows at most in the largest installation: any order and search of them needs no index. */
  readonly small?: true;
  /** Its domain's name for it in the log, and the row's own: "product A920". */
  readonly target: (row: RowIn<T>) => string;
  /** What other tables say about it: joins to `t`. */
  readonly joined?: (query: SelectQueryBuilder<DB & Record<'t', DB[T]>, 't', object>, ctx: Ctx) => unknown;
  /** Paths of those who may act on it, where several organisations share a row; its owner's otherwise. */
  readonly owners?: (row: RowIn<T>) => readonly string[];
  /** What is answered otherwise than it is stored. */
  readonly shown?: (row: RowIn<T>, ctx: Ctx) => Partial<z.input<E['row']>>;
  /** Criteria that aren't one column's. */
  readonly criteria?: Readonly<Record<string, Criterion>>;
  /** Columns that a list is sorted by where the field's own may be empty: its cursor would skip those rows. */
  readonly sorts?: Readonly<Record<string, string>>;
  /** What else may be done with a row, by calls that are handled elsewhere. */
  readonly acts?: Readonly<Record<string, Call>>;
  /** The fault that keeps a row from an act: neither offered then nor done. */
  readonly refuses?: Readonly<Record<string, (row: RowIn<T>, ctx: Ctx) => Fault | string | undefined | false>>;
  /** The fault where others refer to a row that is to be deleted. */
  readonly inUse?: string;
  /** Checks what is written and says what else is: columns beside those of the input. */
  readonly columns?: (ctx: Ctx, input: z.output<E['add']>, about: Writing<RowIn<T>>) => Promise<RawRow> | RawRow;
  /** What follows a new row in its transaction, `db`. */
  readonly added?: (ctx: Ctx, id: number, input: z.output<E['add']>, rows: Rows<E>, db: Db) => Promise<unknown>;
  /** What is held before a row is changed or deleted, where others hold that first. */
  readonly holdsFirst?: (db: Db, id: number) => Promise<unknown>;
  /** What follows a deleted row in its transaction. */
  readonly deleted?: (ctx: Ctx, row: RowIn<T>) => Promise<unknown>;
  /** Fields that an export writes otherwise than they are answered. */
  readonly cells?: Readonly<{
    [K in keyof z.output<E['row']>]?: (value: z.output<E['row']>[K], lang: string, row: z.output<E['row']>) => Cell;
  }>;
  /** Which rows may be chosen in a select. */
  readonly offered?: (ctx: Ctx) => Condition;
}

export interface Resource<E extends AnyEntity = AnyEntity> {
  readonly routes: readonly Route[];
  readonly refs: Readonly<Record<string, Table>>;
  readonly exporters: readonly Exporter[];
  readonly entity: E;
  readonly table: Table;
  readonly small: boolean;
  /** Its states, for `move`. */
  readonly rows: Rows<E>;
  /** Makes a row as its call does, for what brings many. */
  add(ctx: Ctx, input: z.output<E['add']>): Promise<z.input<E['row']>>;
  read(ctx: Ctx, id: number, db?: Db): Promise<z.input<E['row']>>;
  /** Several, in this order; none where one isn't found. */
  readAll(ctx: Ctx, ids: readonly number[]): Promise<z.input<E['row']>[]>;
}

type Rest<E extends AnyEntity, G> = Exclude<keyof G, Derived<E>>;
type OwnHandlers<E extends AnyEntity, G> = [Rest<E, G>] extends [never]
  ? { readonly handlers?: Partial<Handlers<G, keyof G>> }
  : { readonly handlers: Handlers<G, Rest<E, G>> & Partial<Handlers<G, Exclude<keyof G, Rest<E, G>>>> };

/** What the calls of a row do, from its declaration. A handler that is given replaces the one that is made here. */
export function resource<E extends AnyEntity, T extends Table, const G extends object>(
  of: E,
  group: G,
  options: Options<E, T> & OwnHandlers<E, G>,
): Resource<E> {
  const calls = group as unknown as Group;
  const { table } = options;
  const loose = options as unknown as Options<AnyEntity, Table> & { handlers?: Readonly<Record<string, Handler<Call>>> };
  const isLarge = of.rowClass === 'owned' && !options.small;
  const { criteria, sorts } = options;
  const from: Selecting = { table, joined: options.joined as Selecting['joined'], criteria, sorts, isLarge };
  const events = Object.keys(of.machine?.events ?? {});
  const own = Object.entries(calls).filter(([name]) => name === 'update' || name === 'delete' || events.includes(name));
  const acts: Group = { ...Object.fromEntries(own), ...options.acts };
  const refusal = (ctx: Ctx, act: string, row: RawRow) => loose.refuses?.[act]?.(row as never, ctx) || undefined;
  const shown = (ctx: Ctx) => (row: RawRow) => ({
    ...itemOf(of, row),
    ...loose.shown?.(row as never, ctx),
    ...allowing(
      allowedActions(ctx, acts, {
        machine: of.machine,
        state: of.state === undefined ? undefined : String(itemOf(of, row)[of.state]),
        owner: of.rowClass === 'shared' ? undefined : ownerFor(ctx, loose.owners?.(row as never) ?? [String(row.dept_path)]),
      }).filter((act) => refusal(ctx, act, row) === undefined),
    ),
  });
  const readRow = async (ctx: Ctx, id: number, db: Db = ctx.db) => shown(ctx)(await rowBy(ctx, db, from, id));
  const rows = statefulTable(table, of.machine as Machine, of.state && columnOf(of.state));
  const acting: Acting = {
    of,
    from,
    rows,
    refusal,
    inUse: options.inUse,
    target: loose.target as never,
    columns: loose.columns as never,
    added: loose.added as never,
    deleted: loose.deleted as never,
    holdsFirst: loose.holdsFirst,
    readRow,
  };
  const pageOf = (ctx: Ctx, input: Listed) => pageRows(ctx, of, from, input, shown(ctx));
  const exporters = calls.export ? [exporterOf(of, calls.export, pageOf, loose.cells as OwnCells)] : [];
  const made: Record<string, Handler<Call>> = {
    page: (ctx, input) => pageOf(ctx, input as Listed),
    detail: (ctx, input) => readRow(ctx, (input as { id: number }).id),
    add: addRow(acting),
    update: changeRow(acting),
    delete: deleteRow(acting),
    export: (ctx, input) => startExport(ctx, exporters[0] as Exporter, input as ExportInput),
    list: async (ctx, input) => {
      const found = await listRows(ctx, of, from, (input as { text: string }).text, loose.offered?.(ctx));
      return found.map((row) => briefOf(calls.list as Call, itemOf(of, row)));
    },
    ...Object.fromEntries(events.map((event) => [event, moveRow(acting, event)])),
    ...loose.handlers,
  };
  const routes = Object.entries(calls).map(([name, call]): Route => {
    const handler = made[name];
    if (!handler) throw new Error(`nobody says what ${call.path} does`);
    return { call, handler };
  });
  return {
    routes,
    refs: { [of.name]: table },
    exporters,
    entity: of,
    table,
    small: options.small ?? false,
    rows: rows as never,
    add: addRow(acting) as never,
    read: readRow as never,
    readAll: (async (ctx: Ctx, ids: readonly number[]) => (await rowsBy(ctx, ctx.db, from, ids)).map(shown(ctx))) as never,
  };
}

/** Of several who share a row the one for whom the person acts. */
const ownerFor = ({ scope }: Ctx, paths: readonly string[]): string | undefined =>
  paths.find((path) => path.startsWith(scope.path)) ?? paths[0];

/** Of a row what its picker answers. */
function briefOf(list: Call, item: RawRow): RawRow {
  const { shape } = (list.output as z.ZodArray<z.ZodObject>).element;
  return Object.fromEntries(Object.entries(item).filter(([name]) => name in shape));
}

const exporterOf = (of: AnyEntity, call: Call, page: (ctx: Ctx, input: Listed) => Promise<Page<RawRow>>, cells: OwnCells): Exporter => ({
  name: call.path,
  title: of.title as TextKey,
  can: call.can,
  sort: of.sorts[0].replace(/^-/, ''),
  page: inWords(of, page) as never,
  columns: exportColumns(of, cells) as never,
});
