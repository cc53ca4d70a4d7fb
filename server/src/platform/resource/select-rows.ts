import type { AnyEntity, Fields } from '@mooring/contract/kit/entity';
import { fault } from '@mooring/contract/kit/fault';
import { bare, columnOf } from '@mooring/contract/kit/field';
import type { Exact, PageInput, Range } from '@mooring/contract/kit/page';
import { Day, Moment } from '@mooring/contract/kit/schema';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../context.ts';
import { candidates } from '../db/candidates.ts';
import { all, type Condition, containsWords, exact, range } from '../db/criteria.ts';
import { page } from '../db/page.ts';
import type { RawRow } from './columns.ts';

type Loose = Kysely<Record<'t', Record<string, unknown>>>;
export type LooseSelect = SelectQueryBuilder<Record<string, Record<string, unknown>>, 't', RawRow>;
export type Criterion = (value: never, ctx: Ctx) => Condition | Promise<Condition>;

export interface Selecting {
  readonly table: string;
  readonly joined?: ((query: never, ctx: Ctx) => unknown) | undefined;
  readonly criteria?: Readonly<Record<string, Criterion>> | undefined;
  readonly sorts?: Readonly<Record<string, string>> | undefined;
  /** Of what may be large and is owned, the parts of texts are looked for beside the policy, where their index can be used. */
  readonly isLarge?: boolean | undefined;
}

/** Its table as `t`, with what other tables say about each row. */
export function selectRows(ctx: Ctx, db: Db, { table, joined }: Selecting): LooseSelect {
  const own = (db as unknown as Loose).selectFrom(`${table} as t` as 't').selectAll('t');
  return (joined ? joined(own as never, ctx) : own) as LooseSelect;
}

export async function rowBy(ctx: Ctx, db: Db, from: Selecting, id: number): Promise<RawRow> {
  const row = await selectRows(ctx, db, from).where('t.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

/** In the order of their ids here. Fault: NOT_FOUND, where one isn't. */
export async function rowsBy(ctx: Ctx, db: Db, from: Selecting, ids: readonly number[]): Promise<RawRow[]> {
  const rows = await selectRows(ctx, db, from)
    .where(sql<boolean>`t.id = any(${[...ids]}::bigint[])`)
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    if (!row) throw fault('NOT_FOUND');
    return row;
  });
}

function conditionOf(of: AnyEntity, name: string, value: unknown): Condition {
  const sought = of.search[name];
  if (sought)
    return containsWords(
      sought.map((one) => `t.${columnOf(one)}`),
      value as string,
    );
  const schema = (of.fields as Fields)[name]?.schema;
  const column = `t.${columnOf(name)}`;
  const kind = schema && bare(schema);
  return kind === Moment || kind === Day ? range(column, value as Range<string>) : exact(column, value as Exact<unknown>);
}

/** The criteria that are given, as conditions; a resource says its own where a column alone isn't it. */
const conditionsOf = (ctx: Ctx, of: AnyEntity, criteria: RawRow, { table, criteria: own = {}, isLarge }: Selecting): Promise<Condition[]> =>
  Promise.all(
    Object.entries(criteria).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (own[name]) return [own[name](value as never, ctx)];
      const condition = conditionOf(of, name, value);
      return [isLarge && of.search[name] && condition ? candidates(ctx, table, condition, 't') : condition];
    }),
  );

export interface Listed {
  readonly criteria: RawRow;
  readonly page: PageInput;
}

/** A page of rows by their criteria and order. */
export const pageRows = async <Item>(
  ctx: Ctx,
  of: AnyEntity,
  from: Selecting,
  { criteria, page: wanted }: Listed,
  map: (row: RawRow) => Item,
) =>
  page(ctx.db, selectRows(ctx, ctx.db, from).where(all(...(await conditionsOf(ctx, of, criteria, from)))), {
    page: wanted,
    sorts: Object.fromEntries(
      of.sorts.map((one) => one.replace(/^-/, '')).map((name) => [name, `t.${from.sorts?.[name] ?? columnOf(name)}`]),
    ),
    id: 't.id',
    map,
  });

const MOST = 200;
/** Those that may be chosen, by what the first of its lists sorts by name. */
export const listRows = (ctx: Ctx, of: AnyEntity, from: Selecting, text: string, among: Condition) =>
  selectRows(ctx, ctx.db, from)
    .where(
      all(
        among,
        ...Object.keys(of.search)
          .slice(0, 1)
          .map((name) => (text === '' ? undefined : conditionOf(of, name, text))),
      ),
    )
    .orderBy(sql.ref('t.name'))
    .limit(MOST)
    .execute();
