import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { withApp } from '@mooring/server/platform/command-app';
import { readConfig } from '@mooring/server/platform/config/config';
import { rotateKeys } from '@mooring/server/platform/gateway/rotate-keys';
import { commandOf } from './suite/command.ts';
import { orSay, withInstallation } from './suite/installation.ts';

await orSay(async () => {
  const { names } = commandOf('rotate-keys');
  const { DATA_DIR, DATABASE_URL } = readConfig(process.env, []);
  if (!existsSync(DATA_DIR) && !DATABASE_URL)
    throw new Error(`There is no installation in ${resolve(DATA_DIR)}. Set DATA_DIR to the one whose keys are to be replaced.`);
  await withInstallation({ mayRun: true }, (installation) => withApp(installation, (app) => rotateKeys(app, new Set(names))));
  console.log(`Replaced: ${names.join(', ')}. Running servers take it up within a minute.`);
  if (names.includes('master') && process.env.NEW_MASTER_KEY) console.log('From the next start on MASTER_KEY is the new one.');
});
