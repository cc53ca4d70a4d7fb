import { deviceCalls } from '@mooring/contract/device/calls';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';

export const AddDevice = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="device.add"
    call={deviceCalls.add}
    successText="done.added"
    submit="device.add"
    onClose={onClose}
    initial={{ stocked: false, testTerminal: false, tags: [] }}
    fields={[
      { name: 'sn', label: 'device.sn', help: 'device.sn.help' },
      { name: 'name', label: 'device.name' },
      { name: 'productId', label: 'device.product', kind: 'one', useChoices: useProducts },
      { name: 'deptId', label: 'device.dept', kind: 'one', useChoices: useDepts },
      { name: 'stocked', label: 'device.stocked', kind: 'switch' },
      { name: 'tags', label: 'device.tags', kind: 'tags' },
      { name: 'testTerminal', label: 'device.testTerminal', help: 'device.testTerminal.help', kind: 'switch' },
      { name: 'remark', label: 'device.remark', kind: 'area' },
    ]}
  />
);
