import { hardwareTestCalls } from '@mooring/contract/hardware-test/calls';
import { useTerminals } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { partsFields, partsInitial } from '../../kit/hardware-parts.tsx';
import { toast } from '../../ui/toast.tsx';
import { useT } from '../../ui/words.ts';

/** Asks terminals to test their parts. */
export function NewTest({ of, onClose }: { of?: { readonly id: number }; onClose: () => void }) {
  const t = useT();
  return (
    <FormDialog
      title="hardwareTest.add.title"
      call={hardwareTestCalls.add}
      submit="hardwareTest.start"
      about={<p className="m-muted">{t('hardwareTest.add.about')}</p>}
      initial={{ deviceIds: of ? [of.id] : [], ...partsInitial }}
      fields={[
        ...(of
          ? []
          : ([{ name: 'deviceIds', label: 'hardwareTest.devices', kind: 'multi', useChoices: useTerminals, wide: true }] as const)),
        ...partsFields,
      ]}
      onClose={onClose}
      onDone={({ asked, refused }) =>
        toast('done', refused > 0 ? t('hardwareTest.done.refused', { count: asked, refused }) : t('hardwareTest.done', { count: asked }))
      }
    />
  );
}
