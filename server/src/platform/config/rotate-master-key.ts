import { randomBytes } from 'node:crypto';
import { renameSync } from 'node:fs';
import type { AppContext } from '../app-context.ts';
import { inOwnTx } from '../db/own-tx.ts';
import { keyFile, masterKey, nextKeyFile, secretOf, writeSecret } from './master-key.ts';
import { openDataSecret, WRAPPING } from './open-master-key.ts';

const LOCK = 7_109;

/**
 * Replaces the master key: what is sealed stays sealed with the key of the data, and that one is sealed with the new master key. Running servers hold the
 * key of the data and notice nothing. Where the master key is given from outside, so is the new one.
 */
export async function rotateMasterKey(app: AppContext, given: string | undefined): Promise<void> {
  const { MASTER_KEY, DATA_DIR } = app.config;
  if (MASTER_KEY && !given) throw new Error('MASTER_KEY is given from outside: set NEW_MASTER_KEY to the one that is to take its place.');
  if (!MASTER_KEY && given)
    throw new Error(`The master key is ${keyFile(DATA_DIR)}, and a new one is made there: NEW_MASTER_KEY isn't for it.`);
  // For as long as a connection holds it: of two at once the second finds the file of the first in its place.
  const alone = await app.pools.owner.connect();
  try {
    await alone.query('select pg_advisory_lock($1)', [LOCK]);
    await rotate(app, given);
  } finally {
    await alone.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {});
    alone.release();
  }
}

async function rotate(app: AppContext, given: string | undefined): Promise<void> {
  const { DATA_DIR, MASTER_KEY_PASSPHRASE_FILE: phrase } = app.config;
  const data = await openDataSecret(app.pools.owner, app.config);
  const next = given ? secretOf(given, DATA_DIR) : randomBytes(32);
  if (!next || next.length < 16) throw new Error('NEW_MASTER_KEY wants at least 16 characters.');
  // First beside, then in the database, then in its place: whatever is cut off, one of the two opens.
  if (!given) writeSecret(nextKeyFile(DATA_DIR), next, phrase);
  await inOwnTx(app.pools.owner, async (client) => {
    await client.query(
      `insert into installation_key (wrapped) values ($1) on conflict (one) do update set wrapped = excluded.wrapped, made_at = now()`,
      [masterKey(next).seal(WRAPPING, data)],
    );
    // A version that doesn't know this takes the new key for the one of the data.
    await client.query('update schema_floor set migration = $1, version = $2 where migration < $1', ['0092-installation-key', '0.2.0']);
  });
  if (!given) renameSync(nextKeyFile(DATA_DIR), keyFile(DATA_DIR));
}
