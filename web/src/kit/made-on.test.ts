import { expect, test } from 'vitest';
import { wayTo } from './made-on.ts';

const on = (platform: 'centre' | 'manager', held: string[], elsewhere: string[] = []) => ({
  platform,
  held: new Set(held),
  elsewhere: new Set(elsewhere),
});

test('the way leads to the page of this platform', () => {
  expect(wayTo(['role', 'managerRole'], on('centre', ['access:role:page'], ['access:managerRole:page']))).toEqual({
    to: '/sys/role',
    page: 'role',
    platform: undefined,
  });
  expect(wayTo(['businessUnit?tab=lines'], on('manager', ['org:unit:page']))?.to).toBe('/businessUnit?tab=lines');
});

test('what is made on the other platform is named with it', () => {
  expect(wayTo(['product'], on('centre', [], ['product:product:page']))).toEqual({
    to: '/device/product',
    page: 'product',
    platform: 'manager',
  });
});

test('there is no way for who may not open the page, here or there', () => {
  expect(wayTo(['product'], on('centre', ['device:device:page'], ['device:all:page']))).toBeUndefined();
  expect(wayTo(['product'], on('centre', ['product:product:page']))).toBeUndefined();
  expect(wayTo(['role'], on('centre', [], ['access:role:page']))).toBeUndefined();
  expect(wayTo(['nowhere'], on('centre', ['access:role:page']))).toBeUndefined();
});
