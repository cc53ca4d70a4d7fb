import { resolve } from 'node:path';
import { prepareWayBack } from '@mooring/database/migrate';
import { commandOf } from './suite/command.ts';
import { orSay, withInstallation } from './suite/installation.ts';

await orSay(async () => {
  const [folder = ''] = commandOf('roll-back').names;
  const release = resolve(folder);
  await withInstallation({ mayRun: false }, async ({ url }) => {
    const ahead = await prepareWayBack(url, release);
    console.log(ahead.length > 0 ? `Put aside: ${ahead.join(', ')}.` : 'That version knows the schema as it is.');
    console.log(
      `Now start the version in ${release}. Nothing else was changed; this version takes its schema up again when it is started.`,
    );
  });
});
