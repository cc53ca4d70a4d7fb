import type { Ctx, Db } from '../../platform/context.ts';
import { clearMaking } from './making.ts';
import { isTokenAway } from './vault/token.ts';
import type { Vault } from './vault/vault.ts';

const MOST = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So long a token that was taken out may take to come back; what is left on one that never does is nobody's work. */
const KEPT_DAYS = 30;

const since = (now: Date, ms: number) => new Date(now.getTime() - ms);

/** Keys that never were, whose objects the token still has. Those that were tried longest ago come first. */
const leftovers = (db: Db, now: Date) =>
  db
    .selectFrom('signing_secret as x')
    .innerJoin('signing_key as k', 'k.id', 'x.key_id')
    .innerJoin('signing_store as s', 's.id', 'k.store_id')
    .select(['k.id', 'x.sealed', 'k.public_key'])
    .where('k.state', '=', 'destroyed')
    .where('s.kind', '=', 'token')
    .where((eb) => eb.or([eb('x.tried_at', 'is', null), eb('x.tried_at', '<=', since(now, HOUR_MS))]))
    .orderBy('x.tried_at', (order) => order.asc().nullsFirst())
    .orderBy('k.id')
    .limit(MOST)
    .execute();

/** No token takes an hour to make a key. */
const lostMakings = (db: Db, now: Date) =>
  db
    .selectFrom('signing_making')
    .select(['id', 'sealed'])
    .where('created_at', '<', since(now, HOUR_MS))
    .where((eb) => eb.or([eb('tried_at', 'is', null), eb('tried_at', '<=', since(now, HOUR_MS))]))
    .orderBy('tried_at', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .limit(MOST)
    .execute();

const old = (db: Db, now: Date) => db.deleteFrom('signing_making').where('created_at', '<', since(now, KEPT_DAYS * DAY_MS));

/** What there is to clear away from the token by now. */
export async function leftOnToken(ctx: Ctx) {
  await ctx.unscoped((db) => old(db, ctx.now()).execute());
  const keys = await ctx.unscoped((db) => leftovers(db, ctx.now()));
  const makings = await ctx.unscoped((db) => lostMakings(db, ctx.now()));
  return { keys, makings };
}

/** One by one: an object that the token doesn't give up, or a seal that isn't read, keeps none of the others. */
export async function clearToken(ctx: Ctx, vault: Vault, { keys, makings }: Awaited<ReturnType<typeof leftOnToken>>): Promise<void> {
  const now = ctx.now();
  const each = async (of: { readonly key: number } | { readonly making: number }, clear: () => Promise<boolean>): Promise<boolean> => {
    try {
      if (!(await clear())) ctx.log.info(of, 'what is left is on another token');
      return true;
    } catch (error) {
      if (isTokenAway(error)) return false;
      ctx.log.error({ ...of, error: error instanceof Error ? error.message : 'unknown' }, 'the token keeps what is left over');
      return true;
    }
  };
  for (const { id, sealed, public_key: publicKey } of keys) {
    await ctx.unscoped((db) => db.updateTable('signing_secret').set({ tried_at: now }).where('key_id', '=', id).execute());
    const goes = await each({ key: id }, async () => {
      const isGone = await vault.clear({ kind: 'token', sealed, publicKey, exportable: false });
      if (isGone) await ctx.unscoped((db) => db.deleteFrom('signing_secret').where('key_id', '=', id).execute());
      return isGone;
    });
    if (!goes) return;
  }
  for (const making of makings) {
    await ctx.unscoped((db) => db.updateTable('signing_making').set({ tried_at: now }).where('id', '=', making.id).execute());
    if (!(await each({ making: making.id }, () => clearMaking(ctx, vault, making)))) return;
  }
}
