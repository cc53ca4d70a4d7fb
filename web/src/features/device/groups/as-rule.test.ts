import { deviceCalls } from '@mooring/contract/device/calls';
import { GroupRule } from '@mooring/contract/device/group-calls';
import { expect, test } from 'vitest';
import { querySchema } from '../../../kit/list/list-url.ts';
import { asRule } from './as-rule.ts';

test('the filters of a list become a rule that is taken, the organisation with all below it becomes the group’s, and the others are named', () => {
  const made = asRule({ status: '2', below: 7, failed: 7, area: [], groupId: 3, deleted: true });
  expect(made).toEqual({ rule: { status: '2' }, deptId: 7, left: ['failed', 'area', 'groupId', 'deleted'] });
  expect(asRule({ below: 7 })).toEqual({ rule: null, deptId: 7, left: [] });
  const every = Object.fromEntries(Object.keys(querySchema(deviceCalls.page).criteria).map((field) => [field, 1]));
  expect(Object.keys(asRule(every).rule ?? {}).filter((field) => !(field in GroupRule.shape))).toEqual([]);
});
