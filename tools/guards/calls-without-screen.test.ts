import { callGroups } from '@mooring/contract/index';
import { expect, test } from 'vitest';
import { callsWithoutScreen } from './calls-without-screen.ts';
import { sourceFiles } from './source-files.ts';

test('whatever can be changed by a call can be changed in the console', () => {
  const groups = Object.fromEntries(
    Object.entries(callGroups).map(([name, group]) => [
      name,
      Object.values(group)
        .filter((call) => !call.reads)
        .map((call) => call.name),
    ]),
  );
  expect(Object.keys(groups).length).toBeGreaterThan(20);
  expect(callsWithoutScreen(groups, sourceFiles())).toEqual([]);
});

test('a change that no screen makes is seen', () => {
  const groups = { boatCalls: ['add', 'update'], shipCalls: ['update'], deviceCalls: ['setConfig'] };
  const files = [
    { path: 'web/src/features/boat/list.tsx', text: 'change(boatCalls.add, boatCalls.updateMany)' },
    { path: 'web/src/features/ship/list.tsx', text: 'Form<typeof shipCalls>; change(calls.update)' },
    { path: 'server/src/boat.ts', text: 'boatCalls.update' },
  ];
  expect(callsWithoutScreen(groups, files)).toEqual(['boatCalls.update']);
});

test('what a page of a row offers is made, and nothing else', () => {
  const groups = { boatCalls: ['add', 'update', 'delete', 'export', 'launch', 'sink'] };
  const list = { path: 'web/src/features/boat/list.ts', text: `listPage(Boat, boatCalls, { moves: { launch: { successText: 'a' } } })` };
  const form = { path: 'web/src/features/boat/form.ts', text: 'formPage(Boat, boatCalls, {})' };
  expect(callsWithoutScreen(groups, [list, form])).toEqual(['boatCalls.sink']);
  expect(callsWithoutScreen(groups, [form])).toEqual(['delete', 'export', 'launch', 'sink'].map((name) => `boatCalls.${name}`));
});
