import { expect, test } from 'vitest';
import { lostBy } from './kept-profiles.ts';

/** Line 2 with regions 3 and 4; bank 5 in region 3 with branch 6, bank 7 in region 4. */
const [line, region, other, bank, branch, far] = ['1.2.', '1.2.3.', '1.2.4.', '1.2.3.5.', '1.2.3.5.6.', '1.2.4.7.'] as const;
const at = (path: string, id: number, products: readonly number[] = [1]) => ({ id, name: `P${id}`, path, products });
const product: Parameters<typeof lostBy>[2][number] = { id: 1, name: 'A920', owner: line, shared: [] };
const move = { kind: 'move', from: bank, to: `${other}5.` } as const;
const merge = { kind: 'merge', from: bank, to: far } as const;
const lost = (of: Parameters<typeof lostBy>[0], profiles: Parameters<typeof lostBy>[1], products = [product]) => {
  const found = lostBy(of, profiles, products);
  return found && [found.profile.id, found.place];
};

test('who leaves the profile of an organisation above is stopped, unless it has one of its own', () => {
  for (const of of [move, merge]) {
    expect(lost(of, [at(region, 1)])).toEqual([1, bank]);
    expect(lost(of, [at(region, 1), at(bank, 2)])).toBeUndefined();
    expect(lost(of, [at(line, 1)])).toBeUndefined();
    expect(lost(of, [at(region, 1, [9])])).toBeUndefined();
  }
});

test('a nearer profile at the target that hides the one that held counts as losing it', () => {
  const above = [{ ...product, owner: '1.' }];
  expect(lost(move, [at(line, 1), at(other, 2)], above)).toEqual([1, bank]);
  expect(lost(merge, [at(line, 1), at(far, 2)], above)).toEqual([1, bank]);
  // That of the product's owner holds wherever it is released.
  expect(lost(move, [at(line, 1), at(other, 2)])).toBeUndefined();
});

test('what a merge brings along hides none of the organisation that it is merged into', () => {
  expect(lost(merge, [at(bank, 1), at(other, 2)])).toEqual([2, far]);
  expect(lost(merge, [at(bank, 1), at(other, 2), at(far, 3)])).toBeUndefined();
});

test('where none held before, one may come to hold', () => {
  expect(lost(move, [at(other, 1)])).toBeUndefined();
  expect(lost(merge, [at(far, 1)])).toBeUndefined();
});

test('a product goes with its owner: its own organisation, one below, or an unmoved one whose profile holds anyway', () => {
  expect(lost(move, [at(region, 1)], [{ ...product, owner: branch }])).toEqual([1, branch]);
  expect(lost(move, [at(branch, 1)], [{ ...product, owner: branch }])).toBeUndefined();
  expect(lost(move, [at(region, 1)], [{ ...product, owner: region }])).toBeUndefined();
});

test('products that nobody can use there don’t keep it, shared ones do', () => {
  expect(lost(move, [at(region, 1)], [{ ...product, owner: far }])).toBeUndefined();
  expect(lost(move, [at(region, 1)], [{ ...product, owner: far, shared: [branch] }])).toEqual([1, bank]);
});
