import type { merchantCalls } from '@mooring/contract/merchant/calls';
import type { shopCalls } from '@mooring/contract/merchant/shop';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { candidates } from '../../platform/db/candidates.ts';
import { all, type Condition, containsWords } from '../../platform/db/criteria.ts';
import type { Handler } from '../../platform/module.ts';

const MOST = 50;

/** By number or name, or those that are named. */
const wanted = async (ctx: Ctx, table: string, { text, ids }: { text: string; ids?: number[] | undefined }): Promise<Condition> => {
  if (ids !== undefined) return sql<boolean>`d.id = any(${ids}::bigint[])`;
  const condition = containsWords(['d.number', 'd.name'], text || undefined);
  return condition && candidates(ctx, table, condition);
};

export const searchMerchants: Handler<typeof merchantCalls.search> = async (ctx, input) =>
  ctx.db
    .selectFrom('merchant_merchant as d')
    .select(['d.id', 'd.number', 'd.name'])
    .where(all(await wanted(ctx, 'merchant_merchant', input)))
    .orderBy('d.number')
    .orderBy('d.id')
    .limit(input.ids?.length || MOST)
    .execute();

export const searchShops: Handler<typeof shopCalls.search> = async (ctx, input) =>
  ctx.db
    .selectFrom('merchant_shop as d')
    .innerJoin('merchant_merchant as m', 'm.id', 'd.merchant_id')
    .select(['d.id', 'd.number', 'd.name', 'm.name as merchantName'])
    .where(
      all(
        await wanted(ctx, 'merchant_shop', input),
        input.merchantId === undefined ? undefined : sql<boolean>`d.merchant_id = ${input.merchantId}`,
      ),
    )
    .orderBy('d.number')
    .orderBy('d.id')
    .limit(input.ids?.length || MOST)
    .execute();

/** Terminals of the merchant's organisation and of those below it that aren't the merchant's already, in the order of one index; or those that are named. */
export const searchTerminals: Handler<typeof merchantCalls.terminals> = async (ctx, { merchantId, text, ids }) => {
  const merchant = await ctx.db.selectFrom('merchant_merchant').select('dept_path').where('id', '=', merchantId).executeTakeFirstOrThrow();
  const words = containsWords(['d.sn', 'd.name'], text || undefined);
  return ctx.db
    .selectFrom('device as d')
    .leftJoin('merchant_merchant as m', 'm.id', 'd.merchant_id')
    .select(['d.id', 'd.sn', 'd.name', 'd.merchant_id as merchantId', 'm.name as merchantName'])
    .where(
      all(
        sql<boolean>`d.deleted_at is null and d.dept_path >= ${merchant.dept_path} and d.dept_path < ${`${merchant.dept_path}~`}`,
        ids === undefined ? sql<boolean>`d.merchant_id is distinct from ${merchantId}` : sql<boolean>`d.id = any(${ids}::bigint[])`,
        ids === undefined && words ? await candidates(ctx, 'device', words) : undefined,
      ),
    )
    .orderBy('d.dept_path')
    .orderBy('d.created_at')
    .orderBy('d.id')
    .limit(ids?.length ?? MOST)
    .execute();
};
