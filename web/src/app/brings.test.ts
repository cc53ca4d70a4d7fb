import { expect, test } from 'vitest';
import { bringsOf, type ReleaseKind } from '../engines/rollout/release-kind.ts';
import { softApps } from '../features/app/release-kind.tsx';
import { appPermissions } from '../features/app-permission/kind.ts';
import { adverts, customizations, desktops } from '../features/desktop/kinds.tsx';
import { firmware } from '../features/firmware/kind.ts';
import { modules } from '../features/module/kind.ts';
import { networkConfigs } from '../features/network-config/kind.ts';
import { androidParams } from '../features/paramfile/android-kind.tsx';
import { paramFiles } from '../features/paramfile/kind.tsx';
import { patches } from '../features/patch/kind.ts';

const brought = (...kinds: readonly ReleaseKind[]) => kinds.map(bringsOf);

test('when to download, and whether to go back, is chosen where a release brings bytes and versions', () => {
  const versioned = { downloads: true, versions: true };
  expect(brought(firmware, modules, patches, softApps)).toEqual([versioned, versioned, versioned, versioned]);
  const filed = { downloads: true, versions: false };
  expect(brought(adverts, customizations, desktops, paramFiles)).toEqual([filed, filed, filed, filed]);
  const set = { downloads: false, versions: false };
  expect(brought(appPermissions, networkConfigs, androidParams)).toEqual([set, set, set]);
});
