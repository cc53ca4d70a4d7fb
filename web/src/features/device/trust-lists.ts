import { regCalls } from '@mooring/contract/device/reg-calls';
import { EnrolRule, FactoryAuthority } from '@mooring/contract/device/trust';
import { useProducts } from '../../kit/choices.ts';
import { off } from '../../kit/resource/entity-column.tsx';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import { listOf } from '../../kit/resource/resource-list.ts';

const product = { name: 'productId', kind: 'one', useChoices: useProducts } as const;
const texts = { search: 'reg.rule.name', delete: 'device.delete' } as const;

const ruleCalls = {
  page: regCalls.rules,
  add: regCalls.ruleAdd,
  update: regCalls.ruleUpdate,
  delete: regCalls.ruleDelete,
  export: regCalls.ruleExport,
};
export const ruleForm = formDialogs(EnrolRule, ruleCalls, {
  texts,
  fields: ['name', 'snPrefix', 'deptId', product, { name: 'network', kind: 'text' }, 'onlyExpected', 'onlyFactory', 'enabled', 'remark'],
});
export const rules = listOf(EnrolRule, ruleCalls, {
  code: 'reg.rules',
  texts,
  columns: [
    'name',
    'snPrefix',
    'productName',
    { key: 'deptName', width: 180 },
    'network',
    { key: 'onlyExpected', width: 130 },
    { key: 'onlyFactory', width: 130 },
    { key: 'enabled', width: 90 },
    { key: 'accepted', width: 90 },
    off('remark'),
    'createdAt',
  ],
  edit: ruleForm.edit,
});

const factoryCalls = {
  page: regCalls.factories,
  add: regCalls.factoryAdd,
  update: regCalls.factoryUpdate,
  delete: regCalls.factoryDelete,
  export: regCalls.factoryExport,
};
export const factoryForm = formDialogs(FactoryAuthority, factoryCalls, {
  texts,
  fields: [
    'name',
    'snPrefix',
    'deptId',
    product,
    { name: 'certificate', kind: 'area' },
    { name: 'revoked', kind: 'tags', wide: true },
    'enabled',
    'remark',
  ],
});
export const factories = listOf(FactoryAuthority, factoryCalls, {
  code: 'reg.factories',
  texts,
  columns: [
    'name',
    { key: 'subject', width: 260 },
    'snPrefix',
    'productName',
    { key: 'deptName', width: 180 },
    { key: 'enabled', width: 90 },
    { key: 'accepted', width: 90 },
    'expiresAt',
    off('fingerprint'),
    'createdAt',
  ],
  edit: factoryForm.edit,
  empty: { title: 'reg.factory.empty', icon: 'key' },
});
