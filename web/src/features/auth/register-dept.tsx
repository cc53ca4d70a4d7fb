import { useState } from 'react';
import { Select, TextInput } from '../../ui/controls.tsx';
import { Field } from '../../ui/field.tsx';
import { speech, useT } from '../../ui/words.ts';

export interface NewDept {
  readonly name: string;
  readonly timeZone: string;
  readonly contactPhone: string;
  readonly address: string;
}
const zones: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

export const useNewDept = (name = '') =>
  useState<NewDept>(() => ({ name, timeZone: speech.get().timeZone || 'UTC', contactPhone: '', address: '' }));

interface Props {
  dept: NewDept;
  onDept: (dept: NewDept) => void;
  tried: boolean;
  wrong: Readonly<Record<string, string>>;
}

export function DeptFields({ dept, onDept, tried, wrong }: Props) {
  const t = useT();
  const set = (what: Partial<NewDept>) => onDept({ ...dept, ...what });
  return (
    <>
      <Field
        label={t('register.orgName')}
        id="register-org"
        error={wrong.name ?? (tried && dept.name.trim() === '' ? t('invalid.required') : undefined)}
      >
        <TextInput value={dept.name} onChange={(name) => set({ name })} autoComplete="organization" max={64} />
      </Field>
      <Field label={t('register.timeZone')} error={wrong.timeZone}>
        <Select
          value={dept.timeZone}
          onChange={(timeZone) => set({ timeZone: timeZone ?? 'UTC' })}
          options={zones.map((zone) => ({ value: zone, label: zone }))}
          width="100%"
        />
      </Field>
      <Field label={t('register.contactPhone')} optional error={wrong.contactPhone}>
        <TextInput value={dept.contactPhone} onChange={(contactPhone) => set({ contactPhone })} autoComplete="tel" max={32} />
      </Field>
      <Field label={t('register.address')} optional error={wrong.address}>
        <TextInput value={dept.address} onChange={(address) => set({ address })} autoComplete="street-address" max={200} />
      </Field>
    </>
  );
}
