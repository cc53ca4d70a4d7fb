import { writeFileSync } from 'node:fs';
import { newBackupKey } from '@mooring/server/platform/backup/sealed-backup';
import { commandOf } from './suite/command.ts';
import { orSay } from './suite/installation.ts';

await orSay(async () => {
  const [file = ''] = commandOf('backup-key').names;
  const { identity, recipient } = await newBackupKey();
  writeFileSync(file, `# public key: ${recipient}\n${identity}\n`, { mode: 0o600, flag: 'wx' });
  console.error(`${file} holds the key: keep it away from the server. Backups are made for its public key:`);
  console.log(recipient);
});
