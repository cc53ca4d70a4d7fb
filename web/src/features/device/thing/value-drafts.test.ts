import { expect, test } from 'vitest';
import { blank, withoutGaps } from './value-drafts.ts';

test('a truth that nobody chose is none', () => {
  const bool = { kind: 'bool', yes: 'On', no: 'Off' } as const;
  expect(blank(bool)).toBe(undefined);
  expect(withoutGaps(blank({ kind: 'struct', fields: [{ id: 'loud', name: 'Loud', dataType: bool }] }))).toEqual({});
});
