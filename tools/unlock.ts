import { unlockAccount } from '@mooring/server/modules/account/unlock-account';
import { withApp } from '@mooring/server/platform/command-app';
import { commandOf } from './suite/command.ts';
import { orSay, withInstallation } from './suite/installation.ts';

await orSay(async () => {
  const { values, on } = commandOf('unlock');
  const wanted = {
    account: values.account ?? 'admin',
    newPassword: on.has('new-password'),
    withoutFactors: on.has('remove-second-factors'),
    withoutDualControl: on.has('no-dual-control'),
  };
  const { account, password, done } = await withInstallation({ mayRun: true }, (installation) =>
    withApp(installation, (app) => unlockAccount(app, wanted)),
  );
  console.log(`${account}: ${done.length > 0 ? done.join(', ') : 'nothing was in the way'}.`);
  if (password !== undefined) console.log(`One-time password: ${password}`);
});
