import { regCalls } from '@mooring/contract/device/reg-calls';
import { type ListSpec, rowAction } from '../../kit/list/types.ts';
import { belonging, createdColumn, ruleName, ruleUse } from './columns.ts';
import { openFactory } from './edit-factory.tsx';
import { openRule } from './edit-rule.tsx';

export const rules: ListSpec<typeof regCalls.rules> = {
  code: 'reg.rules',
  title: 'reg.rules',
  call: regCalls.rules,
  search: { field: 'name', hint: 'reg.rule.name' },
  columns: [
    ruleName,
    { key: 'snPrefix', title: 'reg.rule.snPrefix', kind: 'code', width: 150 },
    ...belonging,
    { key: 'network', title: 'reg.rule.network', width: 150 },
    { key: 'onlyExpected', title: 'reg.rule.onlyExpected', kind: 'yes', width: 130 },
    { key: 'onlyFactory', title: 'reg.rule.onlyFactory', kind: 'yes', width: 130 },
    ...ruleUse,
    { key: 'remark', title: 'device.remark', width: 180, off: true },
    createdColumn,
  ],
  rowActions: [
    { key: 'edit', label: 'reg.rule.edit', icon: 'edit', call: regCalls.ruleUpdate, run: openRule },
    rowAction(regCalls.ruleDelete, { successText: 'done.deleted', label: 'device.delete', danger: true }),
  ],
  nameOf: (row) => row.name,
  empty: { title: 'reg.rule.empty' },
};

export const factories: ListSpec<typeof regCalls.factories> = {
  code: 'reg.factories',
  title: 'reg.factories',
  call: regCalls.factories,
  search: { field: 'name', hint: 'reg.rule.name' },
  columns: [
    ruleName,
    { key: 'subject', title: 'reg.factory.subject', kind: 'code', width: 260 },
    { key: 'snPrefix', title: 'reg.rule.snPrefix', kind: 'code', width: 150 },
    ...belonging,
    ...ruleUse,
    { key: 'expiresAt', title: 'reg.factory.expiresAt', kind: 'moment', sort: true, width: 170 },
    { key: 'fingerprint', title: 'reg.fingerprint', kind: 'code', width: 200, off: true },
    createdColumn,
  ],
  rowActions: [
    { key: 'edit', label: 'reg.factory.edit', icon: 'edit', call: regCalls.factoryUpdate, run: openFactory },
    rowAction(regCalls.factoryDelete, { successText: 'done.deleted', label: 'device.delete', danger: true }),
  ],
  nameOf: (row) => row.name,
  empty: { title: 'reg.factory.empty', icon: 'key' },
};
