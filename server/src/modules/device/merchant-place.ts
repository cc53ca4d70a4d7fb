import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Db } from '../../platform/context.ts';

/** Where terminals are put: a shop of a merchant, a merchant alone, or nowhere. */
export interface MerchantPlace extends Record<string, unknown> {
  readonly merchantId: number | null;
  readonly shopId: number | null;
  /** Of the merchant's organisation. */
  readonly path: string;
}

/** What the actor sees of it, held until the transaction ends: one that moves on the map at once waits for its new terminals, or they for it. */
export async function placeOf(db: Db, merchantId: number | null, shopId: number | null): Promise<MerchantPlace> {
  if (merchantId === null) {
    if (shopId !== null) throw new Fault('SHOP_ELSEWHERE', { fields: { shopId: 'fault.SHOP_ELSEWHERE' } });
    return { merchantId, shopId, path: '' };
  }
  const merchant = await db.selectFrom('merchant_merchant').select('dept_path').where('id', '=', merchantId).forShare().executeTakeFirst();
  if (!merchant) throw fault('NOT_FOUND');
  if (shopId !== null) {
    const shop = await db.selectFrom('merchant_shop').select('merchant_id').where('id', '=', shopId).forShare().executeTakeFirst();
    if (!shop) throw fault('NOT_FOUND');
    if (shop.merchant_id !== merchantId) throw new Fault('SHOP_ELSEWHERE', { fields: { shopId: 'fault.SHOP_ELSEWHERE' } });
  }
  return { merchantId, shopId, path: merchant.dept_path };
}
