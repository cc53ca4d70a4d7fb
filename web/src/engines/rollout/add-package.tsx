import type { PackageCalls } from '@mooring/contract/engines/rollout/package-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useState } from 'react';
import { useProducts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import type { ControlPart } from '../../kit/form/types.ts';
import { mayCall } from '../../kit/session.ts';
import { FileField } from '../../kit/upload/file-field.tsx';
import { go } from '../../kit/view.ts';
import { Checkbox } from '../../ui/controls.tsx';
import { toast } from '../../ui/toast.tsx';
import { t, useT } from '../../ui/words.ts';
import { usePackageRelease } from './kind-context.tsx';
import { releasePath } from './package-actions.ts';
import type { PackageRelease } from './release-kind.ts';

/** A package that is published is there to be released within moments: sooner than the release is written. */
function leadOn(kind: PackageRelease, made: OutputOf<PackageCalls['add']>): void {
  const isPublished = made.publishState !== '0';
  toast(
    'done',
    t(isPublished ? 'firmware.package.publishing' : 'firmware.package.added', { name: made.version }),
    isPublished && mayCall(kind.calls.tasks.add)
      ? { label: t('firmware.package.release'), onClick: () => go(releasePath(kind, made)) }
      : undefined,
  );
}

function PackageFile(part: ControlPart<number | undefined>) {
  const t = useT();
  const { fileType, rawType } = usePackageRelease().packages;
  const [raw, setRaw] = useState(false);
  const type = raw && rawType ? rawType : fileType;
  return (
    <>
      <FileField key={type} fileType={type} {...part} />
      {rawType ? (
        <Checkbox
          value={raw}
          disabled={part.disabled}
          onChange={(now) => {
            // What was uploaded is of the other kind.
            part.onChange(undefined);
            setRaw(now);
          }}
        >
          {t('firmware.package.raw')}
        </Checkbox>
      ) : null}
    </>
  );
}

/** Uploads a file and names what it is. */
export function AddPackage({ onClose }: { onClose: () => void }) {
  const kind = usePackageRelease();
  const { name } = kind.packages;
  return (
    <FormDialog
      title="firmware.package.add"
      submit="firmware.package.add"
      call={kind.calls.packages.add}
      onClose={onClose}
      initial={{ publish: true }}
      onDone={(made) => leadOn(kind, made)}
      fields={[
        { name: 'fileId', label: 'firmware.package.file', Control: PackageFile, wide: true },
        { name: 'productId', label: 'firmware.package.product', useChoices: useProducts, only: true },
        ...(name ? [{ name: 'name', ...name } as never] : []),
        { name: 'version', label: 'firmware.package.version' },
        { name: 'kind', label: 'firmware.package.kind', names: 'firmware.package.kind.' },
        { name: 'base', label: 'firmware.package.base', when: (values) => values.kind === 'DI' },
        { name: 'note', label: 'firmware.package.note', kind: 'area' },
        {
          name: 'publish',
          label: 'product.publishNow',
          help: 'firmware.package.publishNow.help',
          kind: 'switch',
          when: () => mayCall(kind.calls.packages.publish),
        },
      ]}
    />
  );
}
