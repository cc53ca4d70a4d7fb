import { expect, test } from 'vitest';
import { isScope, readSns, scopeOf } from './scope-values.ts';

test('serial numbers come out of lines, commas and a CSV with a head, each once', () => {
  expect(readSns('sn\n a001 ,A002;"A003"\r\nA001')).toEqual(['A001', 'A002', 'A003']);
  expect(readSns('')).toEqual([]);
});

test('a scope carries only the fields of its kind', () => {
  const filled = { deptIds: [3], firmware: [], tags: ['x'], sns: ['A001'] };
  expect(scopeOf({ ...filled, releaseScope: '0' })).toEqual({ releaseScope: '0' });
  expect(scopeOf({ ...filled, releaseScope: '1' })).toEqual({
    releaseScope: '1',
    deptIds: [3],
    firmware: [],
    tags: ['x'],
    updatedBy: null,
  });
  const named = { groupIds: [], merchantIds: [7] };
  expect(scopeOf({ ...filled, ...named, releaseScope: '1' })).toEqual({
    releaseScope: '1',
    deptIds: [3],
    merchantIds: [7],
    firmware: [],
    tags: ['x'],
    updatedBy: null,
  });
  expect(isScope(scopeOf({ merchantIds: [7], releaseScope: '1' }))).toBe(true);
  expect(scopeOf({ ...filled, releaseScope: '2' })).toEqual({ releaseScope: '2', sns: ['A001'] });
  expect(isScope(scopeOf({ releaseScope: '1' }))).toBe(false);
  expect(isScope(scopeOf({ releaseScope: '2' }))).toBe(false);
  expect(isScope(scopeOf({ ...filled, releaseScope: '2' }))).toBe(true);
});
