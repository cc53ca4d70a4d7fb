import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { notify } from '../message/api.ts';
import { KEY_GROUP, lockKey } from './key.resource.ts';
import { clearMaking } from './making.ts';
import { isTokenAway } from './vault/token.ts';
import type { Vault } from './vault/vault.ts';

const MOST = 100;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So long a token that was taken out may take to come back; what is left on one that never does is nobody's work. */
const KEPT_DAYS = 30;

/** From each hour to each day, by how often it was tried in vain. */
const isDue = (now: Date) =>
  sql<boolean>`(x.tried_at is null or x.tried_at <= ${now}::timestamptz - make_interval(hours => least(24, power(2, greatest(0, x.tries - 1)))::int))`;
const since = (now: Date, ms: number) => new Date(now.getTime() - ms);

/** Keys that never were, whose objects the token still has. Those that were tried longest ago come first. */
const leftovers = (db: Db, now: Date) =>
  db
    .selectFrom('signing_secret as x')
    .innerJoin('signing_key as k', 'k.id', 'x.key_id')
    .innerJoin('signing_store as s', 's.id', 'k.store_id')
    .select(['k.id', 'k.name', 'k.dept_path', 'x.sealed', 'k.public_key'])
    .where('k.state', '=', 'destroyed')
    .where('s.kind', '=', 'token')
    .where(isDue(now))
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

type Left = Awaited<ReturnType<typeof leftOnToken>>;

/** What became of it stands with the key; where two people wrote it off meanwhile, that stays. */
const tell = (ctx: Ctx, { id, name, dept_path: path }: Left['keys'][number], remains: 'elsewhere' | 'kept' | null): Promise<void> =>
  ctx.unscoped(async (db) => {
    // The key first, as who writes it off does.
    await lockKey(db, id);
    if (remains === null) await db.deleteFrom('signing_secret').where('key_id', '=', id).execute();
    const told = await db
      .updateTable('signing_key')
      .set({ remains })
      .where('id', '=', id)
      .where('remains', 'is distinct from', 'forgotten')
      .where('remains', 'is distinct from', remains)
      .returning('id')
      .execute();
    if (told.length === 0) return;
    await ctx.invalidate(db, KEY_GROUP, path);
    // Whoever destroyed it takes it for gone.
    if (remains !== null)
      await notify(db, {
        name: remains === 'kept' ? 'signingKeyKept' : 'signingKeyElsewhere',
        params: { key: name },
        to: { above: path, can: 'signing:key:update', apart: path },
        deptPath: path,
        priority: '1',
        link: `/keypairAdd/${id}`,
        channels: ['centre', 'email'],
      });
  });

/** One by one: an object that the token doesn't give up, or a seal that isn't read, keeps none of the others. */
export async function clearToken(ctx: Ctx, vault: Vault, { keys, makings }: Left): Promise<void> {
  const now = ctx.now();
  /** Whether it is gone; `undefined` where the token is away. */
  const each = async (of: { readonly key: number } | { readonly making: number }, clear: () => Promise<boolean>) => {
    try {
      if (await clear()) return null;
      ctx.log.info(of, 'what is left is on another token');
      return 'elsewhere' as const;
    } catch (error) {
      if (isTokenAway(error)) return undefined;
      ctx.log.error({ ...of, error: error instanceof Error ? error.message : 'unknown' }, 'the token keeps what is left over');
      return 'kept' as const;
    }
  };
  for (const key of keys) {
    const tried = sql<number>`tries + 1`;
    await ctx.unscoped((db) =>
      db.updateTable('signing_secret').set({ tried_at: now, tries: tried }).where('key_id', '=', key.id).execute(),
    );
    const held = { kind: 'token', sealed: key.sealed, publicKey: key.public_key, exportable: false } as const;
    const remains = await each({ key: key.id }, () => vault.clear(held));
    if (remains === undefined) return;
    await tell(ctx, key, remains);
  }
  for (const making of makings) {
    await ctx.unscoped((db) => db.updateTable('signing_making').set({ tried_at: now }).where('id', '=', making.id).execute());
    if ((await each({ making: making.id }, () => clearMaking(ctx, vault, making))) === undefined) return;
  }
}
