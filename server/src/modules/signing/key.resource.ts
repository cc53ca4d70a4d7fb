import { fault } from '@mooring/contract/kit/fault';
import { keyChanges } from '@mooring/contract/signing/change-calls';
import { SigningKey, signingKeyCalls } from '@mooring/contract/signing/key';
import { signingKeyMachine } from '@mooring/contract/signing/state-machines';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { exact } from '../../platform/db/criteria.ts';
import { statefulTable } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { type Resource, resource } from '../../platform/resource/resource.ts';
import type { Held } from './vault/protocol.ts';

export const keyRows = statefulTable('signing_key', signingKeyMachine);
export const KEY_GROUP = '/api/keystore/key';
type Calls = typeof signingKeyCalls;
type Own =
  | 'generate'
  | 'import'
  | 'activate'
  | 'policy'
  | 'chain'
  | 'next'
  | 'dropNext'
  | 'resume'
  | 'retire'
  | 'destroy'
  | 'writeOff'
  | 'request'
  | 'exportKey'
  | 'exportFile'
  | 'exportPassword';

/** Which half of an export that still stands is this person's: of their rows of keys. */
const ownHalf = (ctx: Ctx) => sql<'file' | 'password' | null>`(
  select case when e.file_for = ${ctx.actor.userId} then 'file' else 'password' end from signing_export e
  where e.key_id = t.id and e.expires_at > ${ctx.now()}::timestamptz and ${ctx.actor.userId} in (e.file_for, e.password_for) limit 1)`;

/** Of the last suspension, while that lasts. */
const suspension = <T>(what: RawBuilder<unknown>) => sql<T>`case when t.state = 'suspended' then (
  select ${what} from state_change c where c.life = 'signingKey' and c.row_id = t.id and c.event = 'suspend' order by c.at desc limit 1) end`;

const otherKey = (which: RawBuilder<unknown>) =>
  sql<{ id: number; name: string } | null>`(select json_build_object('id', k.id, 'name', k.name) from signing_key k where ${which})`;

/** Whether keys `t` have signed Android packages: terminals take updates of these by the same certificate alone. */
export const signedApps = (key: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from signing_job j where j.key_id = ${sql.ref(key)} and j.profile = 'apk' and j.state = 'signed' and j.package_name <> '')`;

const isFollowed = (row: object): boolean => 'followed_by' in row && row.followed_by !== null;

const isOver = (state: string) => ['waiting', 'retired', 'destroyed'].includes(state) && 'KEY_ENDED';

/** Something that a turn of the server may never take away: also what waits for a token that broke. */
export const isLeft = ({ remains }: { readonly remains: string | null }) => remains !== null && remains !== 'forgotten';

/** Keys, as everybody with the permission sees them: what is private of them is in another table, and in no answer. */
export const signingKeys = (handlers: { readonly [N in Own]: Handler<Calls[N]> }): Resource<typeof SigningKey> =>
  resource(SigningKey, signingKeyCalls, {
    table: 'signing_key',
    small: true,
    target: (row) => `signing key ${row.name}`,
    joined: (query, ctx) =>
      query
        .innerJoin('signing_store as s', 's.id', 't.store_id')
        .leftJoin('org_dept as o', 'o.id', 't.dept_id')
        .select((eb) => [
          ownHalf(ctx).as('export_half'),
          suspension<Date | null>(sql`c.at`).as('suspended_at'),
          suspension<string | null>(sql`(select u.name from account_user u where u.id = c.actor_id)`).as('suspended_by'),
          otherKey(sql`k.id = t.follows_id`).as('follows'),
          otherKey(sql`k.follows_id = t.id`).as('followed_by'),
          signedApps('t.id').as('signed_apps'),
          's.name as store_name',
          's.kind as store_kind',
          eb.fn.coalesce('o.name', sql<string>`''`).as('dept_name'),
          sql<unknown>`(select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'code', p.code) order by p.name), '[]')
            from product_product p where p.id = any(t.product_ids))`.as('products'),
        ]),
    // A list of large numbers comes as texts.
    shown: (row) => ({ productIds: row.product_ids.map(Number) }),
    cells: {
      products: (products) => products.map(({ name }) => name).join('; '),
      follows: (key) => key?.name ?? '',
      followedBy: (key) => key?.name ?? '',
    },
    acts: {
      policy: signingKeyCalls.policy,
      chain: signingKeyCalls.chain,
      next: signingKeyCalls.next,
      dropNext: signingKeyCalls.dropNext,
      request: signingKeyCalls.request,
      writeOff: signingKeyCalls.writeOff,
      exportKey: signingKeyCalls.exportKey,
    },
    refuses: {
      // What it waits for is decided on where the request stands.
      activate: () => 'KEY_NOT_ACTIVE',
      writeOff: (row) => !isLeft(row) && 'OVERTAKEN',
      policy: (row) => isOver(row.state),
      chain: (row) => isOver(row.state),
      next: (row) => (row.state !== 'active' ? 'KEY_NOT_ACTIVE' : isFollowed(row) && 'KEY_NEXT_THERE'),
      dropNext: (row) => !isFollowed(row) && 'OVERTAKEN',
      exportKey: (row) => (!row.exportable || ['waiting', 'destroyed'].includes(row.state)) && 'KEY_NOT_EXPORTABLE',
      request: (row) => row.state !== 'active' && 'KEY_NOT_ACTIVE',
    },
    offered: () => exact('t.state', 'active'),
    handlers,
  });

export type KeyRow = Awaited<ReturnType<typeof keyById>>;
/** By its id, under whichever policy `db` is bound to. */
export async function keyById(db: Db, id: number) {
  const row = await db.selectFrom('signing_key').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

/** In one order, until the end of the transaction `db`, which is past the policies: whether the person sees them was asked before that began. */
export async function lockKeys(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length > 0) await sql`select from signing_key where id = any(${ids}::bigint[]) order by id for update`.execute(db);
}

/** Those that requests are about; others are about profiles, whose rows are taken before requests of them are. */
export const lockKeysOf = (db: Db, of: readonly { readonly target: string; readonly subject_id: number | null }[]): Promise<void> =>
  lockKeys(
    db,
    of.flatMap(({ target, subject_id: id }) => (id !== null && (keyChanges as readonly string[]).includes(target) ? [id] : [])),
  );

/** The same of one, as it stands then. */
export async function lockKey(db: Db, id: number): Promise<KeyRow> {
  await lockKeys(db, [id]);
  return keyById(db, id);
}

type OfSecret = Pick<KeyRow, 'id' | 'store_id' | 'public_key' | 'exportable'>;
export async function secretOf(db: Db, { id, store_id, public_key, exportable }: OfSecret): Promise<Held> {
  const row = await db
    .selectFrom('signing_secret as x')
    .innerJoin('signing_store as s', (join) => join.on('s.id', '=', store_id))
    .select(['x.sealed', 's.kind'])
    .where('x.key_id', '=', id)
    .executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return { kind: row.kind as Held['kind'], sealed: row.sealed, publicKey: public_key, exportable };
}

/** One more, or one less of a signature that came to nothing; pages that show the key say so. */
export async function countUse(ctx: Pick<Ctx, 'invalidate'>, db: Db, id: number, by: 1 | -1): Promise<void> {
  const counted = await db
    .updateTable('signing_key')
    .set((eb) => ({ uses: eb('uses', '+', by) }))
    .where('id', '=', id)
    .where('uses', '>=', by === 1 ? 0 : 1)
    .returning('dept_path')
    .executeTakeFirst();
  if (counted) await ctx.invalidate(db, KEY_GROUP, counted.dept_path);
}

const keyOrNone = async (db: Db, id: number | null) => (id === null ? undefined : keyById(db, id));

/** As they stand, and stay until the transaction ends, locked in one order; none where the key is elsewhere. */
export async function heldKeys(db: Db, id: number | null, other: number | null) {
  await lockKeys(
    db,
    [id, other].filter((one) => one !== null),
  );
  return [await keyOrNone(db, id), await keyOrNone(db, other)] as const;
}
