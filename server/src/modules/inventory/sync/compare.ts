import type { syncDifferences } from '@mooring/contract/inventory/sync';
import { sql } from 'kysely';
import { noteCustody } from '../../../engines/custody/note-custody.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { lockSet } from '../../../platform/db/lock-set.ts';
import { move, recordCreated } from '../../../platform/db/move.ts';
import { addStocked, usableProduct } from '../../device/api.ts';
import { type DeptAt, deptsByName } from '../../org/api.ts';
import { isUsableAt, sharedWith, type UsablePlaces } from '../../product/api.ts';
import type { FeedRow } from './read-feed.ts';
import { conflictRows, type Source } from './sync-rows.ts';

type Difference = (typeof syncDifferences)[number];
interface Known {
  readonly id: number;
  readonly sn: string;
  readonly dept_id: number;
  readonly dept: string;
  readonly product_id: number | null;
  readonly product: string;
}
interface Theirs {
  readonly row: FeedRow;
  readonly dept: DeptAt | undefined;
  readonly productId: number | undefined;
  /** The product isn't one that the organisation may use. */
  readonly isElsewhere: boolean;
}
interface Differing extends Theirs {
  readonly known: Known | undefined;
  readonly why: readonly Difference[];
}
export interface Compared {
  readonly added: number;
  readonly same: number;
  readonly conflicts: number;
}

type Product = UsablePlaces & { readonly id: number };
/** Products of the scope that may be used, by their codes; a code that two have names neither. */
async function productsByCode(db: Db, codes: readonly string[]): Promise<ReadonlyMap<string, Product>> {
  const { rows } = await sql<Product & { code: string }>`
    select id, lower(code) as code, dept_path as owner, ${sharedWith} as shared from product_product p
    where lower(code) = any(${codes}::text[]) and publish_status = '1'`.execute(db);
  const found = [...Map.groupBy(rows, ({ code }) => code)];
  return new Map(found.flatMap(([code, [one, ...others]]) => (one && others.length === 0 ? [[code, one] as const] : [])));
}

async function theirsOf(ctx: Ctx, db: Db, source: Source, rows: readonly FeedRow[]): Promise<Theirs[]> {
  const owners = await deptsByName(ctx, db, [...new Set(rows.flatMap(({ owner }) => (owner ? [owner] : [])))]);
  const products = await productsByCode(db, [...new Set(rows.map(({ product }) => product.toLowerCase()))]);
  return rows.map((row) => {
    const found = row.owner ? owners.get(row.owner.toLowerCase()) : source.dept;
    const dept = found === 'many' ? undefined : found;
    const product = products.get(row.product.toLowerCase());
    return { row, dept, productId: product?.id, isElsewhere: dept && product ? !isUsableAt(dept.path, product) : false };
  });
}

/** By name and code both may agree where nothing could be added any more: a product that is no longer published, an organisation that is disabled. */
const sameOwner = ({ row }: Theirs, known: Known) =>
  !row.owner || known.dept.toLowerCase() === row.owner.toLowerCase() || String(known.dept_id) === row.owner;

function differences(theirs: Theirs, known: Known | undefined, source: Source): Difference[] {
  const { row, dept, productId, isElsewhere } = theirs;
  const why: Difference[] = [];
  if (!known || !sameOwner(theirs, known)) {
    if (!dept) why.push('ownerUnknown');
    else if (known) why.push('owner');
  }
  if (!known || known.product.toLowerCase() !== row.product.toLowerCase()) {
    if (productId === undefined) why.push('productUnknown');
    else if (known) why.push('product');
    else if (isElsewhere) why.push('productElsewhere');
  }
  if (!known && why.length === 0 && !source.addsNew) why.push('unlisted');
  return why;
}

/** Into stock of their owners, with the document of how they came; those whose SN somebody else has aren't in the answer. */
async function addNew(ctx: Ctx, db: Db, source: Source, fresh: readonly Theirs[]): Promise<ReadonlySet<string>> {
  if (fresh.length === 0) return new Set();
  // Two registers that name the same terminals in other orders would wait for each other.
  await lockSet(db, 'assetSync');
  const parts = Map.groupBy(fresh, ({ dept, productId }) => `${dept?.id} ${productId}`);
  const added: number[] = [];
  for (const part of parts.values()) {
    const [first] = part;
    if (!first?.dept || first.productId === undefined) continue;
    await usableProduct(db, first.productId, first.dept.path);
    const sns = part.map(({ row }) => row.sn);
    added.push(...(await addStocked(db, { sns, productId: first.productId, dept: first.dept, actorId: ctx.actor.userId })));
  }
  await noteCustody(db, added, { event: 'entered', entryType: '5', document: source.name, by: ctx.actor.userName, now: ctx.now() });
  const { rows } = await sql<{ sn: string }>`select sn from device where id = any(${added}::bigint[])`.execute(db);
  return new Set(rows.map(({ sn }) => sn));
}

/** Notes what differs, and answers how much of it is open; what was decided stays decided while both sides say the same as then. The first word of a reading counts. */
async function noteConflicts(ctx: Ctx, db: Db, source: Source, run: number, found: readonly Differing[]): Promise<number> {
  if (found.length === 0) return 0;
  const lines = found.map(({ row, dept, productId, known, why }) => ({
    sn: row.sn,
    why,
    device_id: known?.id ?? null,
    our_owner: known?.dept ?? null,
    our_product: known?.product ?? null,
    their_owner: row.owner ?? '',
    their_product: row.product,
    their_dept_id: dept?.id ?? null,
    their_product_id: productId ?? null,
    about: JSON.stringify([known?.dept_id, known?.product_id, row.owner?.toLowerCase(), row.product.toLowerCase(), why]),
  }));
  const { rows } = await sql<{ id: number; is_new: boolean; is_other: boolean; is_open: boolean }>`
    with said as (
      select * from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
        as x(sn text, why jsonb, device_id bigint, our_owner text, our_product text, their_owner text, their_product text, their_dept_id bigint, their_product_id bigint, about text)
    ), stood as (select sn, about, state, seen_run from inventory_sync_conflict where source_id = ${source.id} and sn in (select sn from said)),
    put as (
      insert into inventory_sync_conflict as c
        (source_id, sn, why, device_id, our_owner, our_product, their_owner, their_product, their_dept_id, their_product_id, about, seen_run, found_at, dept_path)
      select ${source.id}, s.sn, array(select jsonb_array_elements_text(s.why)), s.device_id, s.our_owner, s.our_product, s.their_owner, s.their_product, s.their_dept_id,
        s.their_product_id, s.about, ${run}, ${ctx.now()}, ${source.dept.path} from said s
      where not exists (select from stood where stood.sn = s.sn and stood.seen_run = ${run}) order by s.sn
      on conflict (source_id, sn) do update set why = excluded.why, device_id = excluded.device_id, our_owner = excluded.our_owner, our_product = excluded.our_product, their_owner = excluded.their_owner,
        their_product = excluded.their_product, their_dept_id = excluded.their_dept_id, their_product_id = excluded.their_product_id,
        about = excluded.about, seen_run = excluded.seen_run
      returning c.id, c.sn, c.about
    )
    select put.id, stood.sn is null as is_new, stood.state is distinct from 'ours' or stood.about <> put.about as is_open,
      stood.state in ('settled', 'theirs') or stood.state = 'ours' and stood.about <> put.about as is_other
    from put left join stood on stood.sn = put.sn`.execute(db);
  await recordCreated(db, conflictRows, idsWhere(rows, 'is_new'), ctx.actor.userId);
  await move(db, conflictRows, 'reopen', idsWhere(rows, 'is_other'), {
    actorId: ctx.actor.userId,
    set: { decided_by: '', decided_at: null, settled_at: null, found_at: ctx.now() },
  });
  return rows.filter((row) => row.is_open).length;
}
const idsWhere = <K extends string>(
  rows: readonly ({ readonly id: number } & { readonly [key in K]: boolean | null })[],
  key: K,
): number[] => rows.filter((row) => row[key]).map(({ id }) => Number(id));

/** One answer of a register beside what stands here, in one transaction: new terminals come into stock, the rest agrees or is noted. Twice is harmless. */
export async function comparePart(ctx: Ctx, db: Db, source: Source, run: number, rows: readonly FeedRow[]): Promise<Compared> {
  const theirs = await theirsOf(ctx, db, source, rows);
  const { path } = source.dept;
  const here = await sql<Known>`
    select d.id, d.sn, d.dept_id, o.name as dept, d.product_id, coalesce(p.code, '') as product
    from device d join org_dept o on o.id = d.dept_id left join product_product p on p.id = d.product_id
    where d.sn = any(${rows.map(({ sn }) => sn)}::text[]) and d.deleted_at is null and d.dept_path >= ${path} and d.dept_path < ${`${path}~`}`.execute(
    db,
  );
  const known = new Map(here.rows.map((one) => [one.sn, one]));
  const compared = theirs.map((one) => {
    const found = known.get(one.row.sn);
    return { ...one, known: found, why: differences(one, found, source) };
  });
  const fresh = compared.filter((one) => !one.known && one.why.length === 0);
  const added = await addNew(ctx, db, source, fresh);
  const taken = fresh.filter(({ row }) => !added.has(row.sn)).map((one) => ({ ...one, why: ['taken' as const] }));
  const found = [...compared.filter(({ why }) => why.length > 0), ...taken];
  const conflicts = await noteConflicts(ctx, db, source, run, found);
  if (added.size > 0) {
    await ctx.invalidate(db, '/device');
    await ctx.invalidate(db, '/inventory/entry');
  }
  return { added: added.size, same: compared.filter((one) => one.known && one.why.length === 0).length, conflicts };
}
