import { regCalls } from '@mooring/contract/device/reg-calls';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';

export const factoryFields = [
  { name: 'name', label: 'reg.rule.name' },
  { name: 'snPrefix', label: 'reg.rule.snPrefix' },
  { name: 'deptId', label: 'device.dept', kind: 'one', useChoices: useDepts },
  { name: 'productId', label: 'device.product', kind: 'one', useChoices: useProducts },
  { name: 'certificate', label: 'reg.factory.certificate', kind: 'area' },
  { name: 'revoked', label: 'reg.factory.revoked', kind: 'tags', help: 'reg.factory.revoked.help', wide: true },
  { name: 'enabled', label: 'reg.rule.enabled', kind: 'switch' },
  { name: 'remark', label: 'device.remark', kind: 'area' },
] as const;

export const AddFactory = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="reg.factory.add"
    call={regCalls.factoryAdd}
    successText="done.added"
    submit="reg.factory.add"
    onClose={onClose}
    initial={{ enabled: true }}
    fields={factoryFields}
  />
);
