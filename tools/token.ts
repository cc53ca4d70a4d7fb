import { makeToken } from '@mooring/server/modules/account/make-token';
import { withApp } from '@mooring/server/platform/command-app';
import { commandOf } from './suite/command.ts';
import { orSay, withInstallation } from './suite/installation.ts';

/** Every token ends. */
const MOST_DAYS = 365;

await orSay(async () => {
  const { values } = commandOf('token');
  const scopes = (values.scopes ?? '').split(',').map((one) => one.trim());
  await withInstallation({ mayRun: true }, async (installation) => {
    const { token, platforms } = await withApp(installation, (app) =>
      makeToken(app, {
        account: values.for ?? '',
        name: values.name ?? '',
        scopes: scopes.filter(Boolean),
        days: Math.min(Number(values.days) || MOST_DAYS, MOST_DAYS),
        perMinute: Number(values['per-minute']),
      }),
    );
    // Alone on standard output, so that a script can take it from there.
    console.error(`A token of ${values.for} on ${platforms.join(' and ')}; it is shown once:`);
    console.log(token);
  });
});
