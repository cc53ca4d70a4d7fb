import { expect, it } from 'vitest';
import { prefixOf } from '../kit/base.ts';
import { best, rank } from '../kit/palette.ts';
import { type RouteSpec, route } from '../kit/route.ts';
import { addressIn, matchPath, matchRoute } from './match.ts';
import { addVisit } from './recent.ts';

const made = (path: string, platform?: 'centre' | 'manager'): RouteSpec =>
  route({ path, title: 'menu.device', load: () => Promise.reject(new Error()), ...(platform ? { platform } : {}) });

it.each([
  ['/a/b', '/a/b', {}],
  ['/a/b/', '/a/b', {}],
  ['/a/:name', '/a/x%20y', { name: 'x y' }],
  ['/a/:name', '/a/%', undefined],
  ['/a/:id', '/a/7', { id: '7' }],
  ['/a/:id', '/a/abc', undefined],
  ['/a/:id', '/a/0', undefined],
  ['/a/:id', '/a/99999999999999999999', undefined],
  ['/a/:id?', '/a', {}],
  ['/a/:id', '/a', undefined],
  ['/a', '/a/b', undefined],
])('%s against %s', (pattern, path, params) => expect(matchPath(pattern, path)).toEqual(params));

it('a page names its menu entry by what its own address says', () => {
  expect(addressIn('/approve/:type/list', { type: '2' })).toBe('/approve/2/list');
  expect(addressIn(undefined, {})).toBeUndefined();
});

it('takes the tab’s platform first, then the more exact address', () => {
  const routes = [made('/device/:id'), made('/device/all', 'manager'), made('/device/new', 'centre')];
  expect(matchRoute(routes, '/device/new', 'centre')?.route.path).toBe('/device/new');
  expect(matchRoute(routes, '/device/7', 'manager')?.params).toEqual({ id: '7' });
  expect(matchRoute([made('/x', 'manager')], '/x', 'centre')?.route.platform).toBe('manager');
  expect(matchRoute(routes, '/nowhere/at/all', 'centre')).toBeUndefined();
});

it.each([
  ['/', ''],
  ['/device/device', ''],
  ['/test-eu/device', '/test-eu'],
  ['/my-dev-1', '/my-dev-1'],
  ['/mooring-a/', '/mooring-a'],
  ['/x/beta-1', ''],
])('prefix of %s is "%s"', (path, prefix) => expect(prefixOf(path)).toBe(prefix));

it('ranks what is typed', () => {
  expect([
    rank('Firmware tasks', 'firm'),
    rank('Firmware tasks', 'task'),
    rank('Firmware tasks', 'ware'),
    rank('Firmware tasks', 'fts'),
    rank('Firmware tasks', 'x'),
  ]).toEqual([4, 3, 2, 1, 0]);
  expect(
    best(
      [
        { key: 'a', label: 'Devices' },
        { key: 'b', label: 'Dev centre' },
        { key: 'c', label: 'x', note: 'dev' },
      ],
      'dev',
    ).map((one) => one.key),
  ).toEqual(['a', 'b', 'c']);
});

it('keeps recent pages once each, newest first', () => {
  const visits = ['/a', '/b', '/a'].reduce<Parameters<typeof addVisit>[0]>(
    (now, to) => addVisit(now, { to, platform: 'centre', title: 't' }),
    [],
  );
  expect(visits.map((one) => one.to)).toEqual(['/a', '/b']);
});
