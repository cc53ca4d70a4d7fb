import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { signingKeyCalls } from '@mooring/contract/signing/key';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { changeKey } from './held-change.ts';
import { type KeyRow, keyById } from './key.resource.ts';
import { isWider } from './policy.ts';

type Input = ParsedInputOf<typeof signingKeyCalls.policy>;

export const notOver = ({ state }: KeyRow) => {
  if (['waiting', 'retired', 'destroyed'].includes(state)) throw new Fault('KEY_ENDED');
};

/** Under whichever policies `db` is bound to. */
export async function namesOf(db: Db, ids: readonly number[]): Promise<Record<string, string>> {
  if (ids.length === 0) return {};
  const rows = await db
    .selectFrom('product_product')
    .select(['id', 'name', 'code'])
    .where('id', 'in', [...ids])
    .execute();
  return Object.fromEntries(rows.map(({ id, name, code }) => [id, `${name} (${code})`]));
}

const policyOf = (key: KeyRow) => ({
  packageNames: key.package_names,
  profiles: key.profiles,
  productIds: key.product_ids.map(Number),
  mostUses: key.most_uses,
  hourFrom: key.hour_from,
  hourTo: key.hour_to,
});

type Policy = ReturnType<typeof policyOf>;
export const policyColumns = (policy: Policy) => ({
  package_names: policy.packageNames,
  profiles: policy.profiles,
  product_ids: policy.productIds,
  most_uses: policy.mostUses,
  hour_from: policy.hourFrom,
  hour_to: policy.hourTo,
});

/** What a new key may be used for, with the names of its products: all of them are seen by who asks. Faults: KEY_HOURS, NOT_FOUND. */
export async function firstPolicy(ctx: Ctx, input: Policy) {
  const { packageNames, profiles, productIds, mostUses, hourFrom, hourTo } = input;
  checkHours(hourFrom, hourTo);
  const productNames = await ctx.inTx((db) => namesOf(db, productIds));
  if (!productIds.every((one) => one in productNames)) throw fault('NOT_FOUND');
  return { packageNames, profiles, productIds, mostUses, hourFrom, hourTo, productNames };
}

function checkHours(hourFrom: number | null, hourTo: number | null): void {
  if ((hourFrom === null) === (hourTo === null) && (hourFrom === null || hourFrom !== hourTo)) return;
  const field = hourFrom === null ? 'hourFrom' : 'hourTo';
  throw new Fault('KEY_HOURS', { fields: { [field]: 'fault.KEY_HOURS' } });
}

/** What follows a key signs updates of what that one signed: it isn't let further than that one by a change of its own. Fault: KEY_NEXT_WIDER. */
async function checkFollows(db: Db, key: KeyRow, { packageNames, productIds }: ReturnType<typeof policyOf>): Promise<void> {
  const after = { package_names: packageNames, product_ids: productIds };
  if (key.follows_id === null || !isWider(after, key)) return;
  const earlier = await keyById(db, key.follows_id);
  if (!isWider(after, earlier)) return;
  const field = isWider({ ...after, product_ids: earlier.product_ids }, earlier) ? 'packageNames' : 'productIds';
  throw new Fault('KEY_NEXT_WIDER', { fields: { [field]: 'fault.KEY_NEXT_WIDER' }, params: { name: earlier.name } });
}

/** What is added has to be seen by who asks for it, and to be there still when it is approved. What the key has already may be unseen, or deleted. */
async function checkAdded(ctx: Ctx, db: Db, added: readonly number[], seen: Readonly<Record<string, string>>): Promise<void> {
  const found = ctx.approving === undefined ? seen : await namesOf(db, added);
  if (added.every((one) => one in found)) return;
  throw ctx.approving === undefined ? fault('NOT_FOUND') : new Fault('CHANGE_OUTDATED');
}

export async function changePolicy(app: AppContext, ctx: Ctx, input: Input) {
  const { id, ...given } = input;
  // People read them beside each other, whatever becomes of the products; those that the author doesn't see stay without a name.
  const seen = await ctx.inTx(async (db) => namesOf(db, [...(await keyById(db, id)).product_ids.map(Number), ...(given.productIds ?? [])]));
  return changeKey(ctx, app, input, async (key, db) => {
    notOver(key);
    const before = policyOf(key);
    const after = { ...before, ...given };
    checkHours(after.hourFrom, after.hourTo);
    await checkFollows(db, key, after);
    const added = after.productIds.filter((one) => !before.productIds.includes(one));
    await checkAdded(ctx, db, added, seen);
    return {
      call: signingKeyCalls.policy,
      target: 'keyPolicy',
      before,
      after: { ...after, productNames: seen },
      apply: (db) => db.updateTable('signing_key').set(policyColumns(after)).where('id', '=', key.id).execute(),
    };
  });
}
