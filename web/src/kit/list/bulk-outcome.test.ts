import { afterAll, beforeAll, expect, it } from 'vitest';
import { speech } from '../../ui/words.ts';
import { nothingDone } from './bulk-outcome.ts';

const before = speech.get();
beforeAll(() =>
  speech.set((now) => ({
    ...now,
    texts: { 'fault.NEEDS': 'Choose one.', 'kit.bulk.nothing': 'Nothing was changed.', 'kit.act.nothing': 'Nothing to change.' },
  })),
);
afterAll(() => speech.set(before));

const outcome = { total: 1, done: 0, refused: 0, failed: [], work: null };
const refused = { ...outcome, refused: 1, failed: [{ id: 1, label: 'A', fault: 'NEEDS' }] };

it.each([
  ['refused, with its reason', refused, 'Choose one.'],
  ['refused without a row', { ...outcome, refused: 1 }, 'Nothing was changed.'],
  ['nothing matched', { ...outcome, total: 0 }, 'Nothing was changed.'],
  ['counted, and none', { changed: 0 }, 'Nothing to change.'],
])('%s is a failure', (_name, output, message) => expect(nothingDone(output)?.message).toBe(message));

it.each([
  ['some done', { ...refused, total: 2, done: 1 }],
  ['gone to the background', { ...outcome, total: 5000, work: 7 }],
  ['counted, and some', { changed: 2 }],
  ['a row', { id: 1, name: 'A' }],
  ['a row that counts something', { id: 1, changed: 0 }],
  ['no body', null],
])('%s is none', (_name, output) => expect(nothingDone(output)).toBeUndefined());

it('who shows each refused row is told of a failure only where there is none to show', () => {
  expect(nothingDone(refused, true)).toBeUndefined();
  expect(nothingDone({ ...outcome, total: 0 }, true)?.message).toBe('Nothing was changed.');
});
