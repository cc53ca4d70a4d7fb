import { sql } from 'kysely';
import type { Ctx } from '../../../platform/context.ts';
import { type DeptAt, deptsByName } from '../../org/api.ts';
import { sharedWith, type UsablePlaces } from '../../product/api.ts';

/** Longer than any name, or number, that is looked up: nothing is called so. */
const LONGEST = 64;

/** What a file names, each that there is asked for once. Names are compared in small letters. */
interface Names<T> {
  /** Asks for those that aren't known yet. */
  load(names: readonly (string | undefined)[]): Promise<void>;
  of(name: string | undefined): T | undefined;
}

/** What isn't there is forgotten: a file may name something else in each of its rows. */
export function names<T>(ask: (wanted: readonly string[]) => Promise<ReadonlyMap<string, T>>): Names<T> {
  const known = new Map<string, T>();
  const keyOf = (name: string) => name.toLowerCase();
  return {
    async load(wanted) {
      const fresh = [...new Set(wanted.flatMap((name) => (name && name.length <= LONGEST && !known.has(keyOf(name)) ? [name] : [])))];
      if (fresh.length === 0) return;
      const found = await ask(fresh);
      for (const name of fresh) {
        const one = found.get(keyOf(name));
        if (one !== undefined) known.set(keyOf(name), one);
      }
    },
    of: (name) => (name === undefined ? undefined : known.get(keyOf(name))),
  };
}

export const deptNames = (ctx: Ctx) => names<DeptAt | 'many'>((wanted) => ctx.inTx((db) => deptsByName(ctx, db, wanted)));

/** SNs that somebody has already, whoever: a SN is unique in the installation. */
export async function takenSns(ctx: Ctx, sns: readonly string[]): Promise<ReadonlySet<string>> {
  if (sns.length === 0) return new Set();
  const found = await ctx.unscoped((db) => sql<{ sn: string }>`select sn from device where sn = any(${sns}::text[])`.execute(db));
  return new Set(found.rows.map(({ sn }) => sn));
}

export interface ProductAt extends UsablePlaces {
  readonly id: number;
  readonly isPublished: boolean;
}
/** By code, or by a name that only one has. */
export const productNames = (ctx: Ctx) =>
  names<ProductAt | 'many'>((wanted) =>
    ctx.inTx(async (db) => {
      const low = wanted.map((name) => name.toLowerCase());
      const { rows } = await sql<UsablePlaces & { id: number; code: string; name: string; status: string }>`
        select id, lower(code) as code, lower(name) as name, publish_status as status, dept_path as owner, ${sharedWith} as shared from product_product p
        where lower(code) = any(${low}::text[]) or lower(name) = any(${low}::text[])`.execute(db);
      const found = new Map<string, ProductAt | 'many'>();
      const one = ({ id, status, owner, shared }: (typeof rows)[number]): ProductAt => ({ id, isPublished: status === '1', owner, shared });
      for (const row of rows) found.set(row.name, found.has(row.name) ? 'many' : one(row));
      for (const row of rows) found.set(row.code, one(row));
      return found;
    }),
  );

export interface PlaceAt {
  readonly id: number;
  readonly path: string;
}
/** Merchants of the scope by their numbers: several organisations may each have one of the same. */
export const merchantNumbers = (ctx: Ctx) =>
  names<readonly PlaceAt[]>((wanted) =>
    // Past the policy, whose range stands here: through it the index of the numbers isn't used.
    ctx.inBulk(async (db) => {
      const { path } = ctx.scope;
      const { rows } = await sql<PlaceAt & { number: string }>`
        select id, dept_path as path, lower(number) as number from merchant_merchant
        where lower(number) = any(${wanted.map((name) => name.toLowerCase())}::text[]) and dept_path >= ${path} and dept_path < ${`${path}~`}`.execute(
        db,
      );
      return Map.groupBy(rows, ({ number }) => number);
    }),
  );

/** Shops as `merchant/number`. */
export const shopNumbers = (ctx: Ctx) =>
  names<number>((wanted) =>
    ctx.inTx(async (db) => {
      const pairs = wanted.map((name) => ({
        merchant: Number(name.slice(0, name.indexOf('/'))),
        number: name.slice(name.indexOf('/') + 1).toLowerCase(),
      }));
      const { rows } = await sql<{ id: number; key: string }>`
        select s.id, s.merchant_id || '/' || lower(s.number) as key from merchant_shop s
        join jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as x(merchant bigint, number text) on s.merchant_id = x.merchant and lower(s.number) = x.number`.execute(
        db,
      );
      return new Map(rows.map(({ id, key }) => [key, id]));
    }),
  );

/** Groups that people choose for. */
export const groupNames = (ctx: Ctx) =>
  names<readonly PlaceAt[]>((wanted) =>
    ctx.inTx(async (db) => {
      const { path } = ctx.scope;
      const { rows } = await sql<PlaceAt & { name: string }>`
        select id, dept_path as path, lower(name) as name from device_group
        where kind = 'static' and dept_path >= ${path} and dept_path < ${`${path}~`} and lower(name) = any(${wanted.map((name) => name.toLowerCase())}::text[])`.execute(
        db,
      );
      return Map.groupBy(rows, ({ name }) => name);
    }),
  );
