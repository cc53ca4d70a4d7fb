import { pino } from 'pino';
import { readConfig } from '../config/config.ts';
import { loadMasterKey } from '../config/master-key.ts';
import { openPools } from '../db/pools.ts';
import { makeHouse } from '../house.ts';
import { rotateIssuer } from './device-authority.ts';
import { rotateReleaseKey } from './release-keys.ts';

export const rotatable = ['issuer', 'release'] as const;
export type Rotatable = (typeof rotatable)[number];

/** Replaces keys of an installation, also of a running one. Nothing is replaced where the root's key isn't there. */
export async function rotateKeys(of: { url: string; dataDir: string }, which: ReadonlySet<Rotatable>): Promise<void> {
  const config = { ...readConfig(process.env, []), DATA_DIR: of.dataDir };
  const pools = openPools(of.url, { max: 2 });
  try {
    const house = makeHouse({ config, pools, masterKey: loadMasterKey(config.MASTER_KEY, of.dataDir), log: pino({ level: 'warn' }) });
    if (which.has('issuer')) await rotateIssuer(house);
    if (which.has('release')) await rotateReleaseKey(house);
  } finally {
    await pools.end();
  }
}
