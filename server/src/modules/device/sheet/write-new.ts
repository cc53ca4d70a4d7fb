import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import { noteCustody } from '../../../engines/custody/note-custody.ts';
import type { Ctx } from '../../../platform/context.ts';
import { recordCreated } from '../../../platform/db/move.ts';
import type { Written } from '../../../platform/work/sheet-kind.ts';
import { usableProduct } from '../add-device.ts';
import { deviceRows } from '../device-rows.ts';
import { fillGroups } from './fill-groups.ts';
import { takenSns } from './look-ups.ts';

export interface NewRow {
  readonly sn: string;
  readonly name?: string | undefined;
  readonly product: number;
  readonly dept: number;
  readonly path: string;
  readonly stocked?: boolean | undefined;
  readonly merchantId: number | null;
  readonly shopId: number | null;
  readonly groups: readonly number[];
  readonly tags?: readonly string[] | undefined;
  readonly pn?: string | undefined;
  readonly imei?: string | undefined;
  readonly mac?: string | undefined;
  readonly iccid?: string | undefined;
  readonly remark?: string | undefined;
}

/** In one statement, in the order of their SNs. A merchant or shop that has gone since leaves its terminal out; so does an organisation that has moved. */
const insertRows = (ctx: Ctx, rows: readonly NewRow[]) =>
  sql<{ id: number; sn: string }>`
    insert into device (sn, name, status, product_id, dept_id, dept_path, merchant_id, shop_id, tags, pn, imei, mac, iccid, remark)
    select x.sn, coalesce(x.name, x.sn), case when x.stocked then '5' else '1' end, x.product, x.dept, x.path, x."merchantId", x."shopId", coalesce(x.tags, '{}'),
      x.pn, x.imei, x.mac, x.iccid, coalesce(x.remark, '')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(sn text, name text, product bigint, dept bigint, path text, stocked boolean, "merchantId" bigint,
      "shopId" bigint, tags text[], pn text, imei text, mac text, iccid text, remark text)
    join org_dept o on o.id = x.dept and o.dept_path = x.path and o.state = 'enabled'
    where (x."merchantId" is null or exists (select from merchant_merchant m where m.id = x."merchantId" and starts_with(x.path, m.dept_path)))
      and (x."shopId" is null or exists (select from merchant_shop s where s.id = x."shopId" and s.merchant_id = x."merchantId"))
    order by x.sn on conflict (sn) do nothing returning id, sn`.execute(ctx.db);

const useOf = ({ product, path }: NewRow) => `${product} ${path}`;
/** Products that may not be put to use any more at an organisation, and why. */
async function unusableOf(ctx: Ctx, rows: readonly NewRow[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const uses = new Map(rows.map((row) => [useOf(row), row]));
  for (const [use, { product, path }] of [...uses].sort(([, a], [, b]) => a.product - b.product))
    try {
      await usableProduct(ctx.db, product, path);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      found.set(use, error.fault);
    }
  return found;
}

/** As `add` does each of them, thousands at once. */
export async function writeNew(ctx: Ctx, rows: readonly NewRow[]): Promise<readonly Written[]> {
  const unusable = await unusableOf(ctx, rows);
  const usable = rows.filter((row) => !unusable.has(useOf(row)));
  const made = new Map((await insertRows(ctx, usable)).rows.map(({ id, sn }) => [sn, id]));
  const ids = [...made.values()];
  await recordCreated(ctx.db, deviceRows, ids, ctx.actor.userId);
  await noteCustody(ctx.db, ids, { event: 'entered', entryType: '2', by: ctx.actor.userName, now: ctx.now() });
  const outside = await fillGroups(
    ctx,
    usable.map(({ sn, groups }) => ({ id: made.get(sn), groups })),
  );
  const taken = await takenSns(
    ctx,
    usable.flatMap(({ sn }) => (made.has(sn) ? [] : [sn])),
  );
  return rows.map((row) => {
    const { sn } = row;
    const id = made.get(sn);
    if (id !== undefined) return { word: outside.has(id) ? 'device.sheet.addedOutside' : 'device.sheet.added' };
    return { fault: unusable.get(useOf(row)) ?? (taken.has(sn) ? 'SN_TAKEN' : 'OVERTAKEN') };
  });
}
