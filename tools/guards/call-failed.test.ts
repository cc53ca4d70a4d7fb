import { expect, test } from 'vitest';
import { callFailedFaults } from './call-failed.ts';
import { sourceFiles } from './source-files.ts';

/** With the reason why its call can't be forbidden. */
const allowed = new Set([
  // A part of a page that the same permission has opened.
  'web/src/engines/rollout/task-curve.tsx',
]);

test('a failed call is shown by the part that knows when another try helps', () => {
  expect(callFailedFaults(sourceFiles()).filter((place) => !allowed.has(place.replace(/:\d+$/, '')))).toEqual([]);
});

test('one that is shown by hand is seen', () => {
  const text = 'if (error && !data)\n  return <ErrorState text={messageOf(error)} requestId={error.requestId} onRetry={retry} />;';
  expect(callFailedFaults([{ path: 'web/src/a.tsx', text }])).toEqual(['web/src/a.tsx:2']);
  expect(callFailedFaults([{ path: 'web/src/a.tsx', text: '<ErrorState text={failed} onRetry={again}>' }])).toEqual([]);
});
