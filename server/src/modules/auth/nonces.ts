import type { AppContext } from '../../platform/app-context.ts';

/** True for the first who brings it: used ones are kept until they would have ended anyway. Never rolled back with what comes after. */
export async function consumeNonce(app: AppContext, nonce: string, expiresAt: Date): Promise<boolean> {
  const taken = await app.unscoped((db) =>
    db
      .insertInto('auth_seal_nonce')
      .values({ nonce, expires_at: expiresAt })
      .onConflict((on) => on.doNothing())
      .returning('nonce')
      .execute(),
  );
  return taken.length > 0;
}
