import type { Call } from '@mooring/contract/kit/call';
import type { AnyEntity, Fields } from '@mooring/contract/kit/entity';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { columnOf } from '@mooring/contract/kit/field';
import { hasMetadata, originOf } from '@mooring/contract/kit/schema';
import { sql } from 'kysely';
import type { Ctx, Db } from '../context.ts';
import { type Refusal, unlessRefused } from '../db/constraint.ts';
import { move, recordCreated, type StatefulTable } from '../db/move.ts';
import type { Handler } from '../module.ts';
import { columnsOf, itemOf, type RawRow } from './columns.ts';
import { ownerColumns } from './owner.ts';
import { rowBy, type Selecting } from './select-rows.ts';

export interface Writing<R> {
  /** The row as it stood, where it is a change. */
  readonly before: R | undefined;
  /** The path of who will own it. */
  readonly path: string;
  readonly db: Db;
}

/** A resource as its changes see it. */
export interface Acting {
  readonly of: AnyEntity;
  readonly from: Selecting;
  readonly rows: StatefulTable<string, string>;
  readonly inUse: string | undefined;
  readonly target: (row: RawRow) => string;
  readonly refusal: (ctx: Ctx, act: string, row: RawRow) => Fault | string | undefined;
  readonly columns: ((ctx: Ctx, input: RawRow, about: Writing<RawRow>) => Promise<RawRow> | RawRow) | undefined;
  readonly added: ((ctx: Ctx, id: number, input: RawRow, rows: StatefulTable<string, string>, db: Db) => Promise<unknown>) | undefined;
  readonly holdsFirst: ((db: Db, id: number) => Promise<unknown>) | undefined;
  readonly deleted: ((ctx: Ctx, row: RawRow) => Promise<unknown>) | undefined;
  readonly readRow: (ctx: Ctx, id: number, db?: Db) => Promise<unknown>;
}
type WithId = RawRow & { readonly id: number };

/** Persons are bound to a role that writes no rows of the whole installation: those are written beside the policy, by whom the call lets. */
const writing = <T>(ctx: Ctx, { of }: Acting, work: (db: Db) => Promise<T>): Promise<T> =>
  of.rowClass === 'shared' ? ctx.unscoped(work) : work(ctx.db);

/** Which unique field it was: by the one that there is, or the one whose column the constraint names. */
const taken =
  ({ of }: Acting) =>
  ({ kind, constraint }: Refusal): Fault | undefined => {
    const unique = Object.entries(of.fields as Fields).flatMap(([name, { options }]) =>
      options.unique ? [{ name, fault: options.unique }] : [],
    );
    const found = unique.length === 1 ? unique[0] : unique.find(({ name }) => constraint.includes(columnOf(name)));
    return kind === 'unique' && found ? new Fault(found.fault, { fields: { [found.name]: `fault.${found.fault}` } }) : undefined;
  };

/** The row, if the act may be done with it: it is the actor's to change, not merely readable from below, and nothing keeps it. */
async function rowFor(ctx: Ctx, db: Db, { of, from, refusal, holdsFirst }: Acting, act: string, id: number): Promise<RawRow> {
  await holdsFirst?.(db, id);
  // What is judged here stays so until the act is done.
  await sql`select from ${sql.table(from.table)} where id = ${id} for update`.execute(db);
  const row = await rowBy(ctx, db, from, id);
  if (of.rowClass !== 'shared' && !String(row.dept_path).startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  const refused = refusal(ctx, act, row);
  if (refused) throw refused instanceof Fault ? refused : new Fault(refused);
  return row;
}

/** What the log keeps of a row: what people write, by its names in the calls, no secret, and of an address where it leads. */
const kept = ({ of }: Acting, values: RawRow): RawRow =>
  Object.fromEntries(
    Object.entries(of.fields as Fields).flatMap(([name, { kind, schema }]) =>
      kind === 'written' && name in values && !hasMetadata(schema, 'secret') && !hasMetadata(schema, 'sealed')
        ? [[name, hasMetadata(schema, 'address') ? originOf(String(values[name])) : values[name]]]
        : [],
    ),
  );

async function written(ctx: Ctx, db: Db, { of, columns }: Acting, input: RawRow, before?: RawRow): Promise<RawRow> {
  const owner = await ownerColumns(ctx, db, of, input, before);
  const path = String(owner.dept_path ?? before?.dept_path ?? '');
  return { ...columnsOf(of, input), ...owner, ...(await columns?.(ctx, input, { before, path, db })) };
}

export const addRow =
  (of: Acting) =>
  (ctx: Ctx, input: unknown): Promise<unknown> =>
    writing(ctx, of, async (db) => {
      const values = await written(ctx, db, of, input as RawRow);
      const columns = Object.keys(values);
      const insert = sql<{ id: number }>`
        insert into ${sql.table(of.from.table)} (${sql.join(columns.map((column) => sql.ref(column)))})
        values (${sql.join(Object.values(values))}) returning id`;
      const { rows } = await unlessRefused(db, () => insert.execute(db), taken(of));
      const id = rows[0]?.id ?? 0;
      if (of.of.machine) await recordCreated(db, of.rows, [id], ctx.actor.userId);
      await of.added?.(ctx, id, input as RawRow, of.rows, db);
      ctx.audit({ target: of.target(await rowBy(ctx, db, of.from, id)), after: kept(of, input as RawRow) });
      return of.readRow(ctx, id, db);
    });

export const changeRow =
  (of: Acting): Handler<Call> =>
  (ctx, input) =>
    writing(ctx, of, async (db) => {
      const { id, revision: _seen, ...changes } = input as WithId & { revision?: number };
      const before = await rowFor(ctx, db, of, 'update', id);
      const values = await written(ctx, db, of, changes, before);
      const set = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
      const after = kept(of, changes);
      const stood = kept(of, itemOf(of.of, before));
      const update = sql`update ${sql.table(of.from.table)} set ${sql.join(set)} where id = ${id}`;
      await unlessRefused(db, () => update.execute(db), taken(of));
      ctx.audit({ target: of.target(before), before: Object.fromEntries(Object.keys(after).map((name) => [name, stood[name]])), after });
      return of.readRow(ctx, id, db);
    });

export const deleteRow =
  (of: Acting): Handler<Call> =>
  (ctx, input) =>
    writing(ctx, of, async (db) => {
      const { id } = input as WithId;
      const before = await rowFor(ctx, db, of, 'delete', id);
      const remove = sql`delete from ${sql.table(of.from.table)} where id = ${id}`;
      await unlessRefused(
        db,
        () => remove.execute(db),
        ({ kind }) => (kind === 'referenced' && of.inUse ? new Fault(of.inUse) : undefined),
      );
      await of.deleted?.(ctx, before);
      ctx.audit({ target: of.target(before), before: kept(of, itemOf(of.of, before)) });
      return null;
    });

export const moveRow =
  (of: Acting, event: string): Handler<Call> =>
  (ctx, input) =>
    writing(ctx, of, async (db) => {
      const { id } = input as WithId;
      const before = await rowFor(ctx, db, of, event, id);
      const moved = await move(db, of.rows, event, [id], { actorId: ctx.actor.userId });
      if (moved.length === 0) throw fault('OVERTAKEN');
      ctx.audit({ target: of.target(before) });
      return of.readRow(ctx, id, db);
    });
