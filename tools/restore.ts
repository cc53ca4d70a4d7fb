import { resolve } from 'node:path';
import { restore } from '@mooring/server/platform/backup/restore';
import { commandOf } from './suite/command.ts';
import { orSay, withInstallation } from './suite/installation.ts';

await orSay(async () => {
  const { names, values } = commandOf('restore');
  const [file = ''] = names;
  await withInstallation({ mayRun: false }, async ({ url, dataDir, elsewhere }) => {
    const { tables, files, version, madeAt } = await restore({ url, dataDir, file, key: values.key });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    console.log(`Restored ${rows} rows of ${tables.length} tables and ${files} files of ${madeAt} (${version}) into ${resolve(dataDir)}.`);
    for (const what of elsewhere) console.log(`This installation also needs ${what}, as when it was backed up.`);
  });
});
