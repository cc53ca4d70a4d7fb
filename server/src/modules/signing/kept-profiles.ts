import { Fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { signingProfileCalls } from '@mooring/contract/signing/profile';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { lockSet, shareSet } from '../../platform/db/lock-set.ts';
import { isUsableAt, sharedWith, type UsablePlaces } from '../product/api.ts';

/*
 * Which profile holds for a release goes by places. Who moves an organisation or merges it would change by that alone whose signatures count, which is
 * for two people: what holds at a place has to hold there afterwards. What comes to hold besides only asks for more.
 */

const PLACES = 'places of signing profiles';
/** Until the end of the transaction no profile comes, goes or changes. */
export const lockProfilePlaces = (db: Db) => lockSet(db, PLACES);
/** Until the end of the transaction no organisation is moved or merged. Before any row is locked, or the two would wait for each other. */
export const keepProfilePlaces = (db: Db) => shareSet(db, PLACES);

interface Profile {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly products: readonly number[];
}
interface Product extends UsablePlaces {
  readonly id: number;
  readonly name: string;
}
/** What stands at `from` and below comes to stand at `to`, where others stand already if it is merged. */
interface Regrouped {
  readonly kind: 'move' | 'merge';
  readonly from: string;
  readonly to: string;
}
interface Lost {
  readonly profile: Profile;
  readonly product: Product;
  readonly place: string;
}

/** Those of one organisation all count, as when packages are released. */
function nearest(profiles: readonly Profile[], productId: number, place: string): readonly Profile[] {
  const above = profiles.filter(({ products, path }) => products.includes(productId) && place.startsWith(path));
  const deepest = Math.max(...above.map(({ path }) => path.length));
  return above.filter(({ path }) => path.length === deepest);
}

/** Somewhere at the place or below it. */
const isUsed = (of: Product, place: string): boolean => isUsableAt(place, of) || of.shared.some((one) => one.startsWith(place));

/** The first profile that would no longer hold: for who owns a product, or for who releases to its terminals. What has one of its own keeps it. */
export function lostBy({ kind, from, to }: Regrouped, profiles: readonly Profile[], products: readonly Product[]): Lost | undefined {
  const moved = (path: string) => (path.startsWith(from) ? `${to}${path.slice(from.length)}` : path);
  const after = profiles.map((one) => ({ ...one, path: moved(one.path) }));
  const regrouped = kind === 'merge' ? [from, to] : [from];
  for (const product of products) {
    const ofOwner = nearest(after, product.id, moved(product.owner));
    for (const place of [product.owner, ...regrouped.filter((one) => isUsed(product, one))]) {
      const left = new Set([...ofOwner, ...nearest(after, product.id, moved(place))].map(({ id }) => id));
      const profile = nearest(profiles, product.id, place).find(({ id }) => !left.has(id));
      if (profile) return { profile, product, place };
    }
  }
  return undefined;
}

async function readPlaces(db: Db) {
  const found = await db.selectFrom('signing_profile').select(['id', 'name', 'dept_path as path', 'product_ids']).orderBy('id').execute();
  // A list of large numbers comes as texts.
  const profiles = found.map(({ product_ids, ...one }): Profile => ({ ...one, products: product_ids.map(Number) }));
  const ids = [...new Set(profiles.flatMap(({ products }) => products))];
  const { rows } = await sql<Product>`select p.id, p.name, p.dept_path as owner, ${sharedWith} as shared from product_product p
    where p.id = any(${ids}::bigint[]) order by p.name, p.id`.execute(db);
  return { profiles, products: rows };
}

/** Faults: DEPT_PROFILE, and DEPT_PROFILE_UNSEEN where its names are past the sight of who asks. */
export async function checkProfilesKept(ctx: Ctx, db: Db, of: Regrouped): Promise<void> {
  const { profiles, products } = await readPlaces(db);
  const lost = lostBy(of, profiles, products);
  if (!lost) return;
  const { profile, product, place } = lost;
  const { path } = ctx.scope;
  const sees = isAllowed(ctx.actor.permissions, signingProfileCalls.page.can) && [profile.path, place].every((one) => one.startsWith(path));
  if (!(sees && isUsableAt(path, product))) throw new Fault('DEPT_PROFILE_UNSEEN');
  const dept = await db.selectFrom('org_dept').select('name').where('dept_path', '=', place).executeTakeFirst();
  throw new Fault('DEPT_PROFILE', { params: { profile: profile.name, product: product.name, dept: dept?.name ?? '' } });
}

/** `db` is past the policies: whoever deletes a product may not see who asks for its signatures. */
export async function isInProfile(db: Db, productId: number): Promise<boolean> {
  const { rows } = await sql`select from signing_profile where product_ids @> array[${productId}]::bigint[] limit 1`.execute(db);
  return rows.length > 0;
}
