import { useState } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { Select } from '../../ui/controls.tsx';
import { wordsOf } from '../../ui/words.ts';
import { useTargets } from './choices.ts';

/** Where terminals go. Its name goes along: one that stands beside is known by that alone. */
function TargetPick({ value, onChange, onBlur, set, disabled }: ControlPart<number | undefined>) {
  const [text, setText] = useState('');
  const { choices, busy } = useTargets(text, value === undefined ? [] : [value]);
  const options = choices.map((one) => ({ value: one.value, label: wordsOf(one.label) }));
  return (
    <Select
      options={options}
      value={value}
      onBlur={onBlur}
      disabled={disabled}
      busy={busy}
      onSearch={setText}
      onChange={(chosen) => {
        onChange(chosen as number | undefined);
        set('toName', options.find((one) => one.value === chosen)?.label ?? '');
      }}
    />
  );
}

export const targetField = { name: 'toId', label: 'dispatch.toId', help: 'dispatch.toId.help', Control: TargetPick } as const;
