import { deviceCalls } from '@mooring/contract/device/calls';
import type { DeviceDetail } from '@mooring/contract/device/schemas';
import { FormDialog } from '../../kit/form/form-dialog.tsx';

export const EditDevice = ({ row, onClose }: { row: DeviceDetail; onClose: () => void }) => (
  <FormDialog
    title="device.edit"
    call={deviceCalls.update}
    successText="done.saved"
    submit="kit.save"
    onClose={onClose}
    initial={{
      id: row.id,
      revision: row.revision,
      name: row.name,
      tags: row.tags,
      testTerminal: row.testTerminal,
      remark: row.remark,
      notes: row.notes,
    }}
    fields={[
      { name: 'name', label: 'device.name', wide: true },
      { name: 'tags', label: 'device.tags', kind: 'tags', wide: true },
      { name: 'testTerminal', label: 'device.testTerminal', help: 'device.testTerminal.help', kind: 'switch', wide: true },
      { name: 'remark', label: 'device.remark', kind: 'area' },
      { name: 'notes', label: 'device.notes', kind: 'area' },
    ]}
  />
);
