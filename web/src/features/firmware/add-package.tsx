import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { FileField } from '../../kit/upload/file-field.tsx';
import { useProducts } from './choices.ts';

/** File kind 5: firmware. */
const FirmwareFile = (part: ControlPart<number | undefined>) => <FileField fileType="5" {...part} />;

/** Uploads a firmware file and names what it is. */
export const AddPackage = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="firmware.package.add"
    submit="firmware.package.add"
    call={packageCalls.add}
    said="firmware.package.added"
    onClose={onClose}
    fields={[
      { name: 'fileId', label: 'firmware.package.file', Control: FirmwareFile, wide: true },
      { name: 'productId', label: 'firmware.package.product', useChoices: useProducts },
      { name: 'version', label: 'firmware.package.version' },
      { name: 'kind', label: 'firmware.package.kind', names: 'firmware.package.kind.' },
      { name: 'base', label: 'firmware.package.base', when: (values) => values.kind === 'DI' },
      { name: 'note', label: 'firmware.package.note', kind: 'area' },
    ]}
  />
);
