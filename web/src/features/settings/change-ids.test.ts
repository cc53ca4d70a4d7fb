import { expect, test } from 'vitest';
import { idsIn } from './change-ids.ts';

test('what a setting names by id is found wherever it stands in it', () => {
  expect(idsIn({ oneDeptId: [null, 7], open: [true, false], maxTries: [5, 7] })).toEqual({ dept: [7], role: [] });
  const rules = [{ group: 'ops', roleId: 3, deptId: 9 }, { group: '12' }];
  expect(idsIn({ rules: [[], rules], byEmail: [true, false] })).toEqual({ dept: [9], role: [3] });
});
