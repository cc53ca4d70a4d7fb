import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readConfig } from '@mooring/server/platform/config/config';
import { type Rotatable, rotatable, rotateKeys } from '@mooring/server/platform/gateway/rotate-keys';
import { orSay, withInstallation } from './suite/installation.ts';

await orSay(async () => {
  const which = new Set(process.argv.slice(2)) as Set<Rotatable>;
  if (which.size === 0 || [...which].some((one) => !rotatable.includes(one)))
    throw new Error(`npm run rotate-keys -- ${rotatable.join(' ')} (or one of them)`);
  const { DATA_DIR, DATABASE_URL } = readConfig(process.env, []);
  if (!existsSync(DATA_DIR) && !DATABASE_URL)
    throw new Error(`There is no installation in ${resolve(DATA_DIR)}. Set DATA_DIR to the one whose keys are to be replaced.`);
  await withInstallation({ mayRun: true }, (installation) => rotateKeys(installation, which));
  console.log(`Replaced: ${[...which].join(', ')}. Running servers take it up within a minute.`);
});
