import { existsSync, renameSync } from 'node:fs';
import type pg from 'pg';
import type { Config } from './config.ts';
import { keyFile, type MasterKey, makeSecret, masterKey, nextKeyFile, secretIn, secretOf, writeSecret } from './master-key.ts';
import { wantsPassphrase } from './passphrase.ts';

/** The key that was wrapped when the master key was replaced, sealed with the present one. */
export const WRAPPING = 'installation-key';
type Where = Pick<Config, 'MASTER_KEY' | 'DATA_DIR'> & Partial<Pick<Config, 'MASTER_KEY_PASSPHRASE_FILE'>>;

export async function wrappedKey(pool: Pick<pg.Pool, 'query'>): Promise<Buffer | undefined> {
  const found = await pool.query<{ wrapped: Buffer }>('select wrapped from installation_key');
  return found.rows[0]?.wrapped;
}

/** Something that this installation has sealed with the key of its data, if it has. */
async function sealedHere(pool: pg.Pool): Promise<Buffer | undefined> {
  const found = await pool.query<{ sealed: Buffer }>(
    "select private_key_sealed as sealed from gateway_key where role = 'deviceIssuer' and private_key_sealed is not null order by created_at desc limit 1",
  );
  return found.rows[0]?.sealed;
}

/** The secret of the data's key, as a master key opens it; undefined where it is another installation's. */
function dataSecret(master: Buffer, wrapped: Buffer | undefined, sealed: Buffer | undefined): Buffer | undefined {
  try {
    const secret = wrapped ? masterKey(master).open(WRAPPING, wrapped) : master;
    if (sealed) masterKey(secret).open('device-issuer', sealed);
    return secret;
  } catch {
    return undefined;
  }
}

/** What everything of this installation is sealed with. @throws where the master key isn't the one of this installation. */
export async function openDataSecret(pool: pg.Pool, { MASTER_KEY, DATA_DIR, MASTER_KEY_PASSPHRASE_FILE: phrase }: Where): Promise<Buffer> {
  const file = keyFile(DATA_DIR);
  const [wrapped, sealed] = [await wrappedKey(pool), await sealedHere(pool)];
  const isNew = !wrapped && !sealed;
  const master = secretOf(MASTER_KEY, DATA_DIR, phrase) ?? (isNew ? makeSecret(DATA_DIR, phrase) : undefined);
  const found = master && dataSecret(master, wrapped, sealed);
  if (found) {
    // It lay open until now.
    if (phrase && !wantsPassphrase(file)) {
      writeSecret(nextKeyFile(DATA_DIR), master, phrase);
      renameSync(nextKeyFile(DATA_DIR), file);
    }
    return found;
  }
  // The replacement of the key was cut off between the database and the file.
  const next = nextKeyFile(DATA_DIR);
  const after = !MASTER_KEY && existsSync(next) ? dataSecret(secretIn(next, phrase), wrapped, sealed) : undefined;
  if (after) {
    renameSync(next, file);
    return after;
  }
  if (!master)
    throw new Error(
      `MASTER_KEY isn't set and ${file} is missing, but this installation's secrets are sealed with one of them. Put it back; a new key can't open them.`,
    );
  throw new Error(
    `${MASTER_KEY ? 'MASTER_KEY' : file} isn't the key with which this installation's secrets are sealed. Set the one that was used before.`,
  );
}

/** The key of this installation, held against what was sealed with it. A new one is made only where nothing is sealed yet. */
export const openMasterKey = async (pool: pg.Pool, where: Where): Promise<MasterKey> => masterKey(await openDataSecret(pool, where));
