import { keyInfoCalls } from '@mooring/contract/signing/key';
import type { AppContext } from '../../platform/app-context.ts';
import { handlers, type Module } from '../../platform/module.ts';
import { changeRoutes, countKeyChanges } from './changes.ts';
import { readKeyFile } from './info.ts';
import { signingKeys } from './key.resource.ts';
import { dropUnwanted, keyHandlers } from './key-handlers.ts';
import { keyStores } from './store.resource.ts';
import { openVault } from './vault/vault.ts';

/** Keys that sign, in a process of their own, and what two people have them sign. */
export function makeSigning(app: AppContext): Module {
  const vault = openVault(app);
  const keys = signingKeys(keyHandlers(app, vault));
  return {
    name: 'signing',
    resources: [keyStores, keys],
    counts: { keyStore: { can: 'signing:key:approve', count: countKeyChanges } },
    undone: dropUnwanted,
    services: [{ of: 'http', name: 'signing vault', start: () => async () => vault.stop() }],
    routes: [...handlers(keyInfoCalls, { info: readKeyFile(vault) }), ...changeRoutes(app, () => keys.routes)],
  };
}
