import { verifyCalls } from '@mooring/contract/signing/job';
import { keyInfoCalls } from '@mooring/contract/signing/key';
import { vaultSealCalls } from '@mooring/contract/signing/vault-seal';
import { besideCalls } from '@mooring/contract/signing/verify-beside';
import type { AppContext } from '../../platform/app-context.ts';
import { openStore } from '../../platform/files/open-store.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { changeRoutes, countKeyChanges } from './changes.ts';
import { readKeyFile } from './info.ts';
import { countJobs, keepsSigned, signingJobs } from './job.resource.ts';
import { lockKeysOf, signingKeys } from './key.resource.ts';
import { dropUnwanted, keyHandlers } from './key-handlers.ts';
import { clearLeft } from './local-file.ts';
import { signingProfiles } from './profile.resource.ts';
import { signJob } from './run-signing.ts';
import { keyStores } from './store.resource.ts';
import { sweepSigning } from './sweep.ts';
import { openVault } from './vault/vault.ts';
import { verifyBeside } from './verify-beside.ts';
import { verifyFile } from './verify-file.ts';
import { followToken } from './wait-for-token.ts';

/** Keys that sign, in a process of their own, and what two people have them sign. */
export function makeSigning(app: AppContext): Module {
  const vault = openVault(app);
  const store = openStore(app.config, app.counts);
  const keys = signingKeys(keyHandlers(app, vault));
  const profiles = signingProfiles(app);
  /** A token that can't be used is said in the log at the start, not with the first signature. */
  const sayToken = () => {
    void vault.token.state();
    return async () => vault.stop();
  };
  return {
    name: 'signing',
    resources: [keyStores(vault), keys, profiles, signingJobs(app, store)],
    counts: {
      keyStore: { can: 'signing:key:approve', count: countKeyChanges },
      apkTool: { can: 'signing:job:approve', count: countJobs },
    },
    jobs: [signJob({ app, store, vault }), sweepSigning(app), followToken(vault)],
    undone: dropUnwanted,
    lockSubjects: lockKeysOf,
    keepsBlob: keepsSigned,
    services: [
      {
        of: 'worker',
        name: 'signing',
        start: async () => {
          await clearLeft(app, app.now());
          return sayToken();
        },
      },
      {
        of: 'http',
        name: 'signing vault',
        start: async () => {
          await clearLeft(app, app.now());
          return sayToken();
        },
      },
    ],
    routes: [
      ...handlers(keyInfoCalls, { info: readKeyFile(vault) }),
      ...handlers(vaultSealCalls, { sealKey: async () => ({ publicKey: (await vault.sealKey({})).toString('base64') }) }),
      ...handlers(verifyCalls, { verify: (ctx, input) => verifyFile(ctx, app, store, input) }),
      ...handlers(besideCalls, { verifyBeside: (ctx, input) => verifyBeside(ctx, store, input) }),
      ...changeRoutes(app, () => [...keys.routes, ...profiles.routes]),
    ],
  };
}
