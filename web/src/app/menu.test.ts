import type { NavNode } from '@mooring/contract/access/calls';
import { expect, it } from 'vitest';
import { activePage, homeOf, isWithin, pagesOf, shownMenu } from './menu.ts';

let next = 1;
const node = (code: string, type: number, url: string | null, children: NavNode[] = []): NavNode => ({
  id: next++,
  name: code,
  code,
  type,
  icon: null,
  url,
  perms: '',
  children,
});
const menu = [
  node('devices', 1, null, [
    node('device', 2, '/device/device', [node('add', 3, null)]),
    node('fota', 2, '/device/fota'),
    node('version', 2, '/device/fota/version'),
  ]),
  node('empty', 1, null, [node('button', 3, null)]),
];

it('shows no buttons and no empty groups', () => {
  expect(shownMenu(menu).map((one) => one.code)).toEqual(['devices']);
  expect(pagesOf(shownMenu(menu)).map((one) => one.code)).toEqual(['device', 'fota', 'version']);
});

it.each([
  ['/device/device', undefined, 'device'],
  ['/device/fota/version', undefined, 'version'],
  ['/device/fota/taskmod/7', undefined, 'fota'],
  ['/device/deviceDetail/7', '/device/device', 'device'],
  ['/device/deviceDetail/7', '/not/mine', undefined],
  ['/device/fotax', undefined, undefined],
])('%s (%s) lights up %s', (path, override, code) => expect(activePage(menu, path, override)?.code).toBe(code));

it('finds home and group', () => {
  expect([homeOf(menu, '/device/fota'), homeOf(menu, '/welcome'), homeOf([], '/welcome')]).toEqual([
    '/device/fota',
    '/device/device',
    undefined,
  ]);
  const [group] = menu;
  expect(group && isWithin(group, activePage(menu, '/device/fota'))).toBe(true);
});
