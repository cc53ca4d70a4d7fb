import { regCalls } from '@mooring/contract/device/reg-calls';
import type { OutputOf } from '@mooring/contract/kit/call';
import { useRef, useState } from 'react';
import { useDepts } from '../../kit/choices.ts';
import { FormDialog } from '../../kit/form/form-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Command, CopyText } from '../../ui/copy-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Note } from '../../ui/states.tsx';
import { useT } from '../../ui/words.ts';
import { useProducts } from './choices.ts';

type Made = OutputOf<typeof regCalls.code>;

/** The code is shown once, with the command that uses it. */
export function MakeCode({ onClose }: { onClose: () => void }) {
  const t = useT();
  const [made, setMade] = useState<Made>();
  const kept = useRef(false);
  if (!made)
    return (
      <FormDialog
        title="reg.code.make"
        call={regCalls.code}
        submit="reg.code.make"
        said="reg.code.made"
        // The form closes itself when it is done; what it made stays.
        onClose={() => (kept.current ? undefined : onClose())}
        onDone={(output) => {
          kept.current = true;
          setMade(output);
        }}
        initial={{ maxUses: 1, hours: 24 }}
        fields={[
          { name: 'deptId', label: 'device.dept', kind: 'one', useChoices: useDepts },
          { name: 'productId', label: 'device.product', kind: 'one', useChoices: useProducts },
          { name: 'sn', label: 'reg.code.sn', help: 'device.sn.help' },
          { name: 'maxUses', label: 'reg.code.maxUses', kind: 'number' },
          { name: 'hours', label: 'reg.code.hours', kind: 'number' },
        ]}
      />
    );
  return (
    <Dialog
      open
      firm
      width={640}
      title={t('reg.code.make')}
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          {t('kit.close')}
        </Button>
      }
    >
      <div className="m-stack">
        <Note tone="warn">{t('reg.code.once')}</Note>
        <CopyText text={made.code} />
        <p className="m-muted">{t('reg.code.command')}</p>
        <Command text={made.command} />
      </div>
    </Dialog>
  );
}
