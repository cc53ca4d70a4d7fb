import { deviceCalls } from '@mooring/contract/device/calls';
import { deviceChangeCalls, deviceImportCalls } from '@mooring/contract/device/sheet/sheet-calls';
import { useState } from 'react';
import { useProducts } from '../../kit/choices.ts';
import { LargeImport } from '../../kit/sheet/large-import.tsx';
import { Select } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { useT, wordsOf } from '../../ui/words.ts';

export function ImportDevices({ onClose }: { onClose: () => void }) {
  const t = useT();
  const [productId, setProductId] = useState<number>();
  const [text, setText] = useState('');
  const { choices, busy } = useProducts(text);
  return (
    <LargeImport
      title="device.import.title"
      about="device.import.about"
      take="device.import.take"
      calls={deviceImportCalls}
      fileName="terminals.xlsx"
      job="work.import.device"
      touches={deviceCalls.page.group}
      given={{ productId: productId ?? null }}
      fields={
        <Field label={t('device.import.product')} help={t('device.import.product.help')} optional>
          <Select
            value={productId}
            onChange={setProductId}
            options={choices.map(({ value, label }) => ({ value, label: wordsOf(label) }))}
            onSearch={setText}
            busy={busy}
          />
        </Field>
      }
      onClose={onClose}
    />
  );
}

export const ChangeDevices = ({ onClose }: { onClose: () => void }) => (
  <LargeImport
    title="device.change.title"
    about="device.change.about"
    take="device.change.take"
    calls={deviceChangeCalls}
    fileName="terminals-change.xlsx"
    job="work.import.deviceChange"
    changes="device.sn"
    touches={deviceCalls.page.group}
    onClose={onClose}
  />
);
