import { expect, it } from 'vitest';
import { type Toast, withToast } from './shown-toasts.ts';

let next = 1;
const passing = (text: string): Toast => ({ id: next++, kind: 'done', text, stays: false });
const staying = (text: string): Toast => ({ ...passing(text), kind: 'warning', stays: true });
const texts = (of: readonly Toast[]) => of.reduce(withToast, [] as readonly Toast[]).map(({ text }) => text);

it('at most four that pass, the newest last', () => {
  expect(texts(['a', 'b', 'c', 'd', 'e'].map(passing))).toEqual(['b', 'c', 'd', 'e']);
});

it('one that stays is never pushed out, neither by those that pass nor by others that stay', () => {
  expect(texts([staying('read me'), ...['a', 'b', 'c', 'd', 'e', 'f'].map(passing)])).toEqual(['read me', 'c', 'd', 'e', 'f']);
  expect(texts(['a', 'b', 'c', 'd', 'e', 'f'].map(staying))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
});

it('the same words stand there once, and stay where they have to', () => {
  expect(texts([passing('a'), passing('b'), passing('a')])).toEqual(['b', 'a']);
  const shown = [passing('a'), staying('a'), passing('a')].reduce(withToast, [] as readonly Toast[]);
  expect(shown).toMatchObject([{ text: 'a', stays: true }]);
});
