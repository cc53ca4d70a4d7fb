import { expect, test } from 'vitest';
import { allCalls } from '../index.ts';
import { textTables } from '../texts.ts';
import { actOf } from './acts.ts';

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
