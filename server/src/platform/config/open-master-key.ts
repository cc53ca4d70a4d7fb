import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from './config.ts';
import { loadMasterKey, type MasterKey } from './master-key.ts';

/** Something that this installation has sealed, if it has. */
async function sealedHere(pool: pg.Pool): Promise<Buffer | undefined> {
  const found = await pool.query<{ sealed: Buffer }>(
    "select private_key_sealed as sealed from gateway_key where role = 'deviceIssuer' and private_key_sealed is not null order by created_at desc limit 1",
  );
  return found.rows[0]?.sealed;
}

/** The key of this installation, held against what was sealed with it. A new one is made only where nothing is sealed yet. */
export async function openMasterKey(pool: pg.Pool, { MASTER_KEY, DATA_DIR }: Pick<Config, 'MASTER_KEY' | 'DATA_DIR'>): Promise<MasterKey> {
  const file = join(DATA_DIR, 'master.key');
  const sealed = await sealedHere(pool);
  if (!MASTER_KEY && sealed && !existsSync(file))
    throw new Error(
      `MASTER_KEY isn't set and ${file} is missing, but this installation's secrets are sealed with one of them. Put it back; a new key can't open them.`,
    );
  const key = loadMasterKey(MASTER_KEY, DATA_DIR);
  try {
    if (sealed) key.open('device-issuer', sealed);
    return key;
  } catch {
    const where = MASTER_KEY ? 'MASTER_KEY' : file;
    throw new Error(`${where} isn't the key with which this installation's secrets are sealed. Set the one that was used before.`);
  }
}
