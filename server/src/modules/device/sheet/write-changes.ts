import { sql } from 'kysely';
import { mayJoin } from '../../../engines/rollout/join-tasks.ts';
import type { Ctx } from '../../../platform/context.ts';
import type { Written } from '../../../platform/work/sheet-kind.ts';
import { removeFrom } from '../groups/group-acts.ts';
import { fillGroups } from './fill-groups.ts';

export interface ChangedRow {
  readonly id: number;
  readonly isSame: boolean;
  readonly name?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly remark?: string | undefined;
  readonly notes?: string | undefined;
  /** It comes to stand where the row says. */
  readonly isPlaced: boolean;
  readonly merchantId: number | null;
  readonly shopId: number | null;
  /** Groups. */
  readonly joins: readonly number[];
  readonly leaves: readonly number[];
}

/** Groups with the terminals that leave them. */
const leavers = (rows: readonly ChangedRow[]): ReadonlyMap<number, number[]> => {
  const found = new Map<number, number[]>();
  for (const row of rows)
    for (const group of row.leaves) {
      const ids = found.get(group) ?? [];
      ids.push(row.id);
      found.set(group, ids);
    }
  return found;
};

/** What isn't said stays. A merchant or shop that has gone since leaves its terminal as it is. */
const update = (ctx: Ctx, rows: readonly ChangedRow[]) =>
  sql<{ id: number }>`
    with held as (
      select id from device where id = any(${rows.map(({ id }) => id)}::bigint[]) and deleted_at is null order by id for no key update
    )
    update device d set name = coalesce(x.name, d.name), tags = coalesce(x.tags, d.tags), remark = coalesce(x.remark, d.remark), notes = coalesce(x.notes, d.notes),
      merchant_id = case when x."isPlaced" then x."merchantId" else d.merchant_id end, shop_id = case when x."isPlaced" then x."shopId" else d.shop_id end
    from held, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(id bigint, name text, tags text[], remark text, notes text, "isPlaced" boolean, "merchantId" bigint, "shopId" bigint)
    where held.id = d.id and x.id = d.id
      and (not x."isPlaced" or x."merchantId" is null or exists (select from merchant_merchant m where m.id = x."merchantId" and starts_with(d.dept_path, m.dept_path)))
      and (not x."isPlaced" or x."shopId" is null or exists (select from merchant_shop s where s.id = x."shopId" and s.merchant_id = x."merchantId"))
    returning d.id`.execute(ctx.db);

async function thereStill({ db }: Ctx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`select id from device where id = any(${ids}::bigint[]) and deleted_at is null`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** As `update` and `assign` do it, thousands at once. */
export async function writeChanges(ctx: Ctx, rows: readonly ChangedRow[]): Promise<readonly Written[]> {
  const differing = rows.filter(({ isSame }) => !isSame);
  const done = new Set(differing.length === 0 ? [] : (await update(ctx, differing)).rows.map(({ id }) => id));
  const taken = differing.filter(({ id }) => done.has(id));
  for (const [group, ids] of leavers(taken)) await removeFrom(ctx.db, { id: group, dept_path: '' }, ids);
  const outside = await fillGroups(
    ctx,
    taken.map(({ id, joins }) => ({ id, groups: joins })),
  );
  await mayJoin(ctx.db, ctx, [...done]);
  const left = await thereStill(
    ctx,
    differing.flatMap(({ id }) => (done.has(id) ? [] : [id])),
  );
  return rows.map(({ id, isSame }) => {
    if (isSame) return { word: 'device.sheet.same' };
    if (done.has(id)) return { word: outside.has(id) ? 'device.sheet.changedOutside' : 'device.sheet.changed' };
    return { fault: left.has(id) ? 'MERCHANT_ELSEWHERE' : 'NOT_FOUND' };
  });
}
