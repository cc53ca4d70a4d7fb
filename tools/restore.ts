import { resolve } from 'node:path';
import { restore } from '@mooring/server/platform/backup/restore';
import { keyFile } from '@mooring/server/platform/config/master-key';
import { wantsPassphrase } from '@mooring/server/platform/config/passphrase';
import { commandOf } from './suite/command.ts';
import { orSay, withInstallation } from './suite/installation.ts';

await orSay(async () => {
  const { names, values } = commandOf('restore');
  const [file = ''] = names;
  await withInstallation({ mayRun: false }, async ({ url, dataDir, elsewhere }) => {
    const { tables, files, version, madeAt } = await restore({ url, dataDir, file, key: values.key });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`Restored ${rows} rows of ${tables.length} tables and ${files} files of ${madeAt} (${version}) into ${resolve(dataDir)}.`);
    const phrase = wantsPassphrase(keyFile(dataDir)) ? ['the passphrase of its master key (MASTER_KEY_PASSPHRASE_FILE)'] : [];
    for (const what of [...elsewhere, ...phrase]) console.log(`This installation also needs ${what}, as when it was backed up.`);
  });
});
