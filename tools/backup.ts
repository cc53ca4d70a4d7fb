import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp } from '@mooring/server/platform/backup/back-up';
import { readConfig } from '@mooring/server/platform/config/config';
import { keyFile } from '@mooring/server/platform/config/master-key';
import { wantsPassphrase } from '@mooring/server/platform/config/passphrase';
import { commandOf } from './suite/command.ts';
import { orSay, withInstallation } from './suite/installation.ts';

await orSay(async () => {
  const { names, values } = commandOf('backup');
  const [file = ''] = names;
  const { DATA_DIR, DATABASE_URL } = readConfig(process.env, []);
  if (!existsSync(DATA_DIR) && !DATABASE_URL)
    throw new Error(`There is no installation in ${resolve(DATA_DIR)}. Set DATA_DIR to the one to back up.`);
  await withInstallation({ mayRun: true }, async ({ url, dataDir, elsewhere }) => {
    const { tables, files, version, secrets } = await backUp({ url, dataDir, file, now: new Date(), recipient: values.for });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`Backed up ${rows} rows of ${tables.length} tables and ${files} files (${version}) to ${file}.`);
    if (values.for) console.log(`Only the key of ${values.for} opens it.`);
    else if (secrets.length > 0) console.log(`It holds ${secrets.join(', and ')}: keep it as safe as the installation itself.`);
    const roots = secrets.some((what) => what.startsWith('the roots'))
      ? []
      : ['the roots of the device authority and of the release keys, which are not here'];
    const phrase = wantsPassphrase(keyFile(dataDir)) ? ['the passphrase that opens the master key'] : [];
    for (const what of [...elsewhere, ...phrase, ...roots]) console.log(`Not in it: ${what}. Keep a copy of that too.`);
  });
});
