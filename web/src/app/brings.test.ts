import { afterEach, expect, test, vi } from 'vitest';
import { bringsOf } from '../engines/rollout/release-kind.ts';

afterEach(() => vi.unstubAllGlobals());

test('when to download, and whether to go back, is chosen where a release brings bytes and versions', async () => {
  vi.stubGlobal('__GALLERY__', false);
  const { kinds } = await import('./routes.ts');
  const all = kinds.map((kind) => ({ name: kind.of.kind, ...bringsOf(kind) }));
  const named = (downloads: boolean, versions: boolean) =>
    all.filter((one) => one.downloads === downloads && one.versions === versions).map(({ name }) => name);
  expect(named(true, true)).toEqual(['firmware', 'module', 'patch', 'softApp']);
  expect(named(true, false)).toEqual(['paramFile', 'storeAdvertSpace', 'systemCustomization', 'customizeDesktop']);
  expect(named(false, false)).toEqual(['appPermission', 'networkConfig', 'androidParam']);
});
