import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { mayCall } from '../../kit/session.ts';
import { FileField } from '../../kit/upload/file-field.tsx';
import { go } from '../../kit/view.ts';
import { toast } from '../../ui/toast.tsx';
import { t } from '../../ui/words.ts';
import { useProducts } from './choices.ts';

/** File kind 5: firmware. */
const FirmwareFile = (part: ControlPart<number | undefined>) => <FileField fileType="5" {...part} />;

/** A published package is there to be released. */
function leadOn({ id, version, publishState }: OutputOf<typeof packageCalls.add>): void {
  const isPublished = publishState !== '0';
  toast(
    'done',
    t(isPublished ? 'firmware.package.published' : 'firmware.package.added', { name: version }),
    isPublished && mayCall(taskCalls.add)
      ? { label: t('firmware.package.release'), onClick: () => go(`/device/fota/taskmod/new?package=${id}`) }
      : undefined,
  );
}

/** Uploads a firmware file and names what it is. */
export const AddPackage = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title="firmware.package.add"
    submit="firmware.package.add"
    call={packageCalls.add}
    onClose={onClose}
    initial={{ publish: true }}
    onDone={leadOn}
    fields={[
      { name: 'fileId', label: 'firmware.package.file', Control: FirmwareFile, wide: true },
      { name: 'productId', label: 'firmware.package.product', useChoices: useProducts, only: true },
      { name: 'version', label: 'firmware.package.version' },
      { name: 'kind', label: 'firmware.package.kind', names: 'firmware.package.kind.' },
      { name: 'base', label: 'firmware.package.base', when: (values) => values.kind === 'DI' },
      { name: 'note', label: 'firmware.package.note', kind: 'area' },
      {
        name: 'publish',
        label: 'product.publishNow',
        help: 'firmware.package.publishNow.help',
        kind: 'switch',
        when: () => mayCall(packageCalls.publish),
      },
    ]}
  />
);
