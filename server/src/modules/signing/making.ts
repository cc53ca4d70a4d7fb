import { fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../platform/context.ts';
import type { Vault } from './vault/vault.ts';

/** A key that the token is about to make: what it will be called there is kept first, so that whatever ends the server leaves nothing unknown. */
export interface Making {
  readonly id: number;
  readonly sealed: Buffer;
}
type App = Pick<Ctx, 'unscoped' | 'now'>;

export async function beginMaking(ctx: App, vault: Vault): Promise<Making> {
  const { sealed } = await vault.reserve();
  const values = { sealed, created_at: ctx.now() };
  const { id } = await ctx.unscoped((db) => db.insertInto('signing_making').values(values).returning('id').executeTakeFirstOrThrow());
  return { id, sealed };
}

const taken = async (db: Db, id: number): Promise<boolean> =>
  (await db.deleteFrom('signing_making').where('id', '=', id).returning('id').execute()).length > 0;

/** In the transaction that keeps the key: either this one has it, or who clears away what is left. Fault: UNAVAILABLE. */
export async function endMaking(db: Db, making: Making): Promise<void> {
  if (!(await taken(db, making.id))) throw fault('UNAVAILABLE', { seconds: 60 });
}

const held = (sealed: Buffer) => ({ kind: 'token' as const, sealed, publicKey: Buffer.alloc(0), exportable: false });

/** What was made wasn't kept, as far as anybody knows: a transaction whose end was lost may have kept it all the same. */
export const giveUpMaking = (ctx: App, vault: Vault, making: Making, made: { readonly sealed: Buffer }): Promise<void> =>
  ctx.unscoped(async (db) => {
    if (!(await taken(db, making.id))) {
      const kept = await db.selectFrom('signing_secret').select('key_id').where('sealed', '=', made.sealed).executeTakeFirst();
      if (kept) return;
    }
    // The last of all: while the token is away the row stays.
    await vault.destroy(held(making.sealed));
  });

/** Whether what is left of it is gone. One of another token waits for that one. */
export const clearMaking = (ctx: App, vault: Vault, { id, sealed }: Making): Promise<boolean> =>
  ctx.unscoped(async (db) => {
    const row = await db.selectFrom('signing_making').select('id').where('id', '=', id).forUpdate().executeTakeFirst();
    if (!row) return true;
    const isGone = await vault.clear(held(sealed));
    if (isGone) await taken(db, id);
    return isGone;
  });
