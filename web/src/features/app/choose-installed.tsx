import { deviceCalls } from '@mooring/contract/device/calls';
import { useState } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { Select } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';

/** Apps that stand on terminals of the scope, whoever brought them there. */
export function ChooseInstalled({ value, onChange, onBlur, set, disabled }: ControlPart<string | undefined>) {
  const t = useT();
  const [text, setText] = useState('');
  const found = useCall(deviceCalls.apps, { text }, { keep: true });
  const listed = found.data ?? [];
  const all = !value || listed.some((one) => one.packageName === value) ? listed : [{ packageName: value, name: value }, ...listed];
  return (
    <Select
      value={value || undefined}
      label={t('appRelease.installed')}
      options={all.map(({ packageName, name }) => ({
        value: packageName,
        label: name === packageName ? packageName : `${name} – ${packageName}`,
      }))}
      onChange={(chosen) => {
        onChange(chosen);
        set('appName', all.find((one) => one.packageName === chosen)?.name ?? '');
      }}
      onBlur={onBlur}
      disabled={disabled}
      onSearch={setText}
      busy={found.fetching}
      nothing={t('appRelease.noInstalled')}
    />
  );
}
