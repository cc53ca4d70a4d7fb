import { fault } from '@mooring/contract/kit/fault';
import type { ParamLevelKind } from '@mooring/contract/paramfile/resolve';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import type { Chain } from './levels.ts';

export interface PlaceInput {
  readonly deptId?: number | undefined;
  readonly merchantId?: number | undefined;
  readonly shopId?: number | undefined;
  readonly deviceId?: number | undefined;
}
interface PlaceRow {
  readonly id: number;
  readonly name: string;
  readonly dept_id: number;
  readonly dept_path: string;
  readonly merchant_id: number | null;
  readonly shop_id: number | null;
}
export interface Placed extends PlaceRow {
  readonly level: ParamLevelKind;
  /** What stands above it. */
  readonly above: Chain;
}

const aboveOrg = (path: string): string => path.replace(/\d+\.$/, '');

const queries: Readonly<Record<ParamLevelKind, (id: number) => ReturnType<typeof sql<PlaceRow>>>> = {
  org: (id) =>
    sql<PlaceRow>`select id, name, id as dept_id, dept_path, null as merchant_id, null as shop_id from org_dept where id = ${id}`,
  merchant: (id) =>
    sql<PlaceRow>`select id, name, dept_id, dept_path, id as merchant_id, null as shop_id from merchant_merchant where id = ${id}`,
  shop: (id) => sql<PlaceRow>`select id, name, dept_id, dept_path, merchant_id, id as shop_id from merchant_shop where id = ${id}`,
  device: (id) =>
    sql<PlaceRow>`select id, sn as name, dept_id, dept_path, merchant_id, shop_id from device where id = ${id} and deleted_at is null`,
};

const chainAbove = (level: ParamLevelKind, { dept_path, merchant_id, shop_id }: PlaceRow): Chain => ({
  path: level === 'org' ? aboveOrg(dept_path) : dept_path,
  merchantId: level === 'shop' || level === 'device' ? merchant_id : null,
  shopId: level === 'device' ? shop_id : null,
  deviceId: null,
});

const levelOf = (input: PlaceInput): readonly [ParamLevelKind, number] => {
  if (input.deptId !== undefined) return ['org', input.deptId];
  if (input.merchantId !== undefined) return ['merchant', input.merchantId];
  return input.shopId === undefined ? ['device', input.deviceId ?? 0] : ['shop', input.shopId];
};

/** The place that a call names, as the actor sees it; held where it is, if something is written about it. */
export async function placeNamed(db: Db, input: PlaceInput, isHeld = false): Promise<Placed> {
  const [level, id] = levelOf(input);
  const row = (await sql<PlaceRow>`${queries[level](id)} ${isHeld ? sql`for share` : sql``}`.execute(db)).rows[0];
  if (!row) throw fault('NOT_FOUND');
  return { ...row, level, above: chainAbove(level, row) };
}

/** Where a terminal stands, itself included. */
export async function chainOf(db: Db, deviceId: number): Promise<Chain & { readonly sn: string; readonly productId: number }> {
  const row = await db
    .selectFrom('device')
    .select(['sn', 'product_id', 'dept_path', 'merchant_id', 'shop_id'])
    .where('id', '=', deviceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return { sn: row.sn, productId: row.product_id, path: row.dept_path, merchantId: row.merchant_id, shopId: row.shop_id, deviceId };
}
