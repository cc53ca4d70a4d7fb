import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '@mooring/server/platform/config/config';
import { loadMasterKey } from '@mooring/server/platform/config/master-key';
import { openPools } from '@mooring/server/platform/db/pools';
import { rotateIssuer } from '@mooring/server/platform/gateway/device-authority';
import { rotateReleaseKey } from '@mooring/server/platform/gateway/release-keys';
import { makeHouse } from '@mooring/server/platform/house';
import { pino } from 'pino';
import { orSay, withInstallation } from './suite/installation.ts';

await orSay(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const known = ['issuer', 'release'];
  if (positionals.length === 0 || positionals.some((one) => !known.includes(one)))
    throw new Error('npm run rotate-keys -- issuer and/or release');
  const { DATA_DIR, DATABASE_URL } = readConfig(process.env, []);
  if (!existsSync(DATA_DIR) && !DATABASE_URL)
    throw new Error(`There is no installation in ${resolve(DATA_DIR)}. Set DATA_DIR to the one whose keys are to be replaced.`);
  await withInstallation({ mayRun: true }, async ({ url, dataDir }) => {
    const config = { ...readConfig(process.env, []), DATA_DIR: dataDir };
    const pools = openPools(url, { max: 2 });
    try {
      const house = makeHouse({ config, pools, masterKey: loadMasterKey(config.MASTER_KEY, dataDir), log: pino({ level: 'warn' }) });
      if (positionals.includes('issuer')) {
        await rotateIssuer(house);
        console.log('Terminals get certificates of a new issuing key from now on; those of the old one hold until they end.');
      }
      if (positionals.includes('release')) {
        await rotateReleaseKey(house);
        console.log('Offers are signed with a new release key from now on.');
      }
      console.log('Running servers take it up within a minute.');
    } finally {
      await pools.end();
    }
  });
});
