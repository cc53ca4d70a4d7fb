import { expect, test } from 'vitest';
import { allCalls } from '../index.ts';
import { textTables } from '../texts.ts';
import { actOf, permissionNames } from './acts.ts';
import { allPermissions } from './menus.ts';

test('a permission is an act of a page, of the platform at hand where two have it', () => {
  expect(actOf('access:member:update||access:managerMember:update', 'manager')).toEqual({ page: 'managerMember', verb: 'update' });
  expect(actOf('access:member:update||access:managerMember:update', 'centre')).toEqual({ page: 'member', verb: 'update' });
  expect(actOf('access:role:page', 'centre')).toEqual({ page: 'role', verb: null });
  expect([actOf('public', null), actOf('session', 'centre')]).toEqual([null, null]);
});

test('every change by a permission has its words', () => {
  const acts = allCalls.filter((one) => !one.reads).flatMap((one) => actOf(one.can, one.platform ?? 'centre') ?? []);
  const wanted = acts.flatMap(({ page, verb }) => [`menu.${page}`, ...(verb === null ? [] : [`access.verb.${verb}`])]);
  expect(acts.length).toBeGreaterThan(100);
  expect([...new Set(wanted)].filter((key) => !Object.values(textTables).some((table) => key in table))).toEqual([]);
});

test.each(['English', 'Chinese'])('every permission has a name of its own in %s, and none is its code', (language) => {
  const said = new Map(Object.values(textTables).flatMap((table) => Object.entries<readonly [string, string]>(table)));
  const names = permissionNames((key) => said.get(key)?.[language === 'English' ? 0 : 1] ?? key);
  expect([...names.keys()].sort()).toEqual([...allPermissions].sort());
  expect([...names.values()].filter((name, at, all) => all.indexOf(name) !== at || /[a-z]\.[a-z]|:/.test(name))).toEqual([]);
});

test('a permission that both platforms have by one name says which', () => {
  const english = new Map(Object.values(textTables).flatMap((table) => Object.entries<readonly [string, string]>(table)));
  const names = permissionNames((key) => english.get(key)?.[0] ?? key);
  expect(names.get('firmware:task:add')).toBe('Firmware releases › Add');
  expect(names.get('access:member:update')).toBe('Operations › Members › Edit');
  expect(names.get('access:managerMember:page')).toBe('Customer › Members › View');
});
