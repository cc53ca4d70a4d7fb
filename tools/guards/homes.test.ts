import { allCalls } from '@mooring/contract/index';
import { expect, test } from 'vitest';
import homes from '../../docs/homes.json' with { type: 'json' };
import { declaredRoutes } from '../declared/routes.ts';
import { homeFaults } from './homes.ts';
import { sourceFiles } from './source-files.ts';

test('every call is declared by the domain that is its home', () => {
  expect(homeFaults(homes, 'calls', allCalls)).toEqual([]);
});

test('every screen is declared by the domain that is its home', () => {
  expect(
    homeFaults(homes, 'screens', declaredRoutes(sourceFiles()), { '/error/not-found': 'the shell shows it for whatever no domain owns' }),
  ).toEqual([]);
});

const small = {
  domains: {
    auth: { screens: ['/login'], calls: ['/sys/user/reset/password'] },
    account: { screens: ['/auth/{authType}'], calls: ['/sys/user/*'] },
    file: { screens: [], calls: ['/file/delete', '/sys/file'] },
  },
};

test.each([
  [{ path: '/sys/user/info', domain: 'auth' }, ['/sys/user/info is declared in auth; its home is account']],
  [{ path: '/sys/user/reset/password', domain: 'account' }, ['/sys/user/reset/password is declared in account; its home is auth']],
  [{ path: '/nowhere', domain: 'auth' }, ['/nowhere (auth) has no home']],
  [{ path: '/sys/user/info', domain: 'account' }, []],
  [{ path: '/sys/user/reset/mail', domain: 'auth' }, ['/sys/user/reset/mail is declared in auth; its home is account']],
  [{ path: '/file/cancelUpload', domain: 'file' }, []],
  [{ path: '/file/get/{token}', domain: 'auth' }, ['/file/get/{token} (auth) has no home']],
  [{ path: '/sys/own', domain: 'file' }, ['/sys/own (file) has no home']],
])('%j', (call, faults) => {
  expect(homeFaults(small, 'calls', [call])).toEqual(faults);
});

test('a screen with a parameter is found however it is written', () => {
  expect(homeFaults(small, 'screens', [{ path: '/auth/:authType', domain: 'account' }])).toEqual([]);
  expect(homeFaults(small, 'screens', [{ path: '/auth/:authType?', domain: 'auth' }])).toHaveLength(1);
});

test('the page of a row belongs to the list that it lies below', () => {
  expect(homeFaults(small, 'screens', [{ path: '/login/:id', domain: 'auth' }])).toEqual([]);
  expect(homeFaults(small, 'screens', [{ path: '/login/:id', domain: 'account' }])).toHaveLength(1);
});

test('screens are read from their declarations', () => {
  const file = {
    path: 'web/src/features/device/pages.ts',
    text: "export const pages = [route({ path: '/device/device', platform: 'centre', load: () => import('./a.tsx') }), route({ path: '/__x' })];",
  };
  expect(declaredRoutes([file])).toEqual([
    { path: '/device/device', domain: 'device', permission: 'device:device:page', platform: 'centre', file: file.path },
  ]);
});

test('the screens of a release are those of each kind that has its own', () => {
  const file = {
    path: 'web/src/engines/rollout/pages.ts',
    text: `const below = { platform: 'centre' } as const;
      export const releaseRoutes = () => [route({ path: list, platform: 'centre' }), route({ ...below, path: \`${'$'}{task}/pre/new\` }), route({ path: \`${'$'}{packages}/:id\` })];`,
  };
  const found = declaredRoutes([file]).filter(({ path }) => /fota|networkConfig/.test(path));
  expect(found.map(({ path, domain, platform }) => [path, domain, platform])).toEqual([
    ['/device/fota', 'firmware', 'centre'],
    ['/device/fota/taskmod/pre/new', 'firmware', 'centre'],
    ['/device/fota/version/:id', 'firmware', undefined],
    ['/networkConfig', 'network-config', 'centre'],
  ]);
});
