import { expect, test } from 'vitest';
import { newLinkFaults, offerFaults } from './offers.ts';
import { sourceFiles } from './source-files.ts';

/** With the reason why nothing is offered there. */
const shown = new Set([
  // In a drawer that only those who may make such an address can open.
  'web/src/features/stats/wall/wall-button.tsx',
]);
const allowed = new Set([
  // Kinds that the person may release alone are named there (kinds.ts).
  'web/src/features/task/create.page.tsx',
  // Where the way back leads; who may not release isn't shown it (revert-task.tsx).
  'web/src/engines/rollout/way-back.tsx',
]);

test('what leads to where something is made is offered to those who may make it', () => {
  expect(offerFaults(sourceFiles()).filter((place) => !shown.has(place.replace(/:\d+$/, '')))).toEqual([]);
  expect(newLinkFaults(sourceFiles()).filter((path) => !allowed.has(path))).toEqual([]);
});

test('an offer to everybody is seen', () => {
  const path = 'web/src/features/a/b.tsx';
  expect(offerFaults([{ path, text: 'x\n<Button look="primary" href={hrefOf(to)} onClick={follow(to)}>' }])).toEqual([`${path}:2`]);
  expect(offerFaults([{ path, text: '<Button onClick={() => save()}>' }])).toEqual([]);
  expect(newLinkFaults([{ path, text: "<Link to={'/device/fota/taskmod/new'}>" }])).toEqual([path]);
  expect(newLinkFaults([{ path, text: "mayCall(taskCalls.add) ? <Link to={'/device/fota/taskmod/new'}> : null" }])).toEqual([]);
});
