import { regCalls } from '@mooring/contract/device/reg-calls';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { MakeDialog } from '../../kit/form/make-dialog.tsx';
import { Command, CopyText } from '../../ui/copy-text.tsx';
import { useT } from '../../ui/words.ts';

/** The code is shown once, with the command that uses it. */
export function MakeCode({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <MakeDialog
      title="reg.code.make"
      call={regCalls.code}
      submit="reg.code.make"
      successText="reg.code.made"
      once="reg.code.once"
      made="reg.code.title"
      shown={(made) => (
        <>
          <CopyText text={made.code} />
          <p className="m-muted">{t('reg.code.command')}</p>
          <Command text={made.command} />
        </>
      )}
      onClose={onClose}
      initial={{ maxUses: 1, hours: 24 }}
      fields={[
        { name: 'deptId', label: 'device.dept', kind: 'one', useChoices: useDepts, own: true },
        { name: 'productId', label: 'device.product', kind: 'one', useChoices: useProducts, only: true },
        { name: 'sn', label: 'reg.code.sn', help: 'device.sn.help' },
        { name: 'maxUses', label: 'reg.code.maxUses', kind: 'number' },
        { name: 'hours', label: 'reg.code.hours', kind: 'number' },
      ]}
    />
  );
}
