import { type SqlBool, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { unhidden } from '../access/api.ts';
import type { ChangeRow } from '../settings/api.ts';
import { namesOf } from './change-policy.ts';

/** What a request says of things by their names, which whoever reads it may not see. */
export interface Sight {
  person(id: number | null, name: string | null): string | null;
  /** By the number of the product, as it was called when it was asked for. */
  product(id: number | string, name: unknown): string | null;
  /** By its certificate, or as one that is seen is called; as in lists of products, null in a list where it isn't. */
  key(name: unknown, sha256: unknown): unknown;
}
interface Said {
  readonly productNames?: Readonly<Record<string, string>>;
  readonly agreed?: { readonly productIds?: readonly (number | string)[] };
  readonly signsWith?: string;
  readonly signsWithSha256?: string;
}
export const saidIn = (row: ChangeRow) => [row.before, row.after].map((one) => (one ?? {}) as Said);
const texts = (values: readonly (string | undefined)[]) => [...new Set(values.filter((one) => one !== undefined && one !== ''))];

/** Under the policies of who reads, and without those people who are hidden from them, as in every list. */
export async function sightOf(ctx: Ctx, rows: readonly ChangeRow[]): Promise<Sight> {
  const said = rows.flatMap(saidIn);
  const people = rows.flatMap(({ author_id, decided_by }) => [author_id, decided_by]).filter((one) => one !== null);
  const productIds = said.flatMap(({ productNames = {}, agreed }) => [...Object.keys(productNames), ...(agreed?.productIds ?? [])]);
  const shown = await unhidden(ctx);
  const found = await ctx.inTx(async (db) => ({
    people: await peopleIn(db, people, shown ?? sql<boolean>`true`),
    products: await namesOf(db, [...new Set(productIds.map(Number))]),
    keys: await keysIn(db, said),
  }));
  return {
    person: (id, name) => (id !== null && (id === ctx.actor.userId || found.people.has(id)) ? name : null),
    product: (id, name) => (typeof name === 'string' && String(id) in found.products ? name : null),
    key: (name, sha256) => (!name || found.keys.has(String(name)) || found.keys.has(String(sha256)) ? name : [null]),
  };
}

async function peopleIn(db: Db, ids: readonly number[], shown: ReturnType<typeof sql<SqlBool>>): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{
    id: number;
  }>`select u.id from account_user u where u.id = any(${[...new Set(ids)]}::bigint[]) and ${shown}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

async function keysIn(db: Db, said: readonly Said[]): Promise<ReadonlySet<string>> {
  const names = texts(said.map(({ signsWith }) => signsWith));
  const sums = texts(said.map(({ signsWithSha256 }) => signsWithSha256));
  if (names.length + sums.length === 0) return new Set();
  const { rows } = await sql<{ name: string; sum: string }>`select k.name, k.certificate_sha256 as sum from signing_key k
    where k.name = any(${names}::text[]) or k.certificate_sha256 = any(${sums}::text[])`.execute(db);
  return new Set(rows.flatMap(({ name, sum }) => [name, sum]));
}
