import { regCalls } from '@mooring/contract/device/reg-calls';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';

export const ruleFields = [
  { name: 'name', label: 'reg.rule.name' },
  { name: 'snPrefix', label: 'reg.rule.snPrefix', help: 'reg.rule.snPrefix.help' },
  { name: 'deptId', label: 'device.dept', kind: 'one', useChoices: useDepts },
  { name: 'productId', label: 'device.product', kind: 'one', useChoices: useProducts },
  { name: 'network', label: 'reg.rule.network', kind: 'text', help: 'reg.rule.network.help' },
  { name: 'onlyExpected', label: 'reg.rule.onlyExpected', kind: 'switch' },
  { name: 'onlyFactory', label: 'reg.rule.onlyFactory', kind: 'switch' },
  { name: 'enabled', label: 'reg.rule.enabled', kind: 'switch' },
  { name: 'remark', label: 'device.remark', kind: 'area' },
] as const;

export const AddRule = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="reg.rule.add"
    call={regCalls.ruleAdd}
    successText="done.added"
    submit="reg.rule.add"
    onClose={onClose}
    initial={{ onlyExpected: true, enabled: true }}
    fields={ruleFields}
  />
);
