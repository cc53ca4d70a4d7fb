import { afterEach, expect } from 'vitest';
import { takeFlaws } from './flaws.ts';

afterEach(() => {
  expect(takeFlaws(), 'what no page may show').toEqual([]);
});
