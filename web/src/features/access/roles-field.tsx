import { roleCalls } from '@mooring/contract/access/role-calls';
import { useState } from 'react';
import { useFound } from '../../kit/choices.ts';
import type { ControlPart } from '../../kit/form/types.ts';
import { WayToMade } from '../../kit/way-to-made.tsx';
import { MultiSelect } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';

/** The roles that may be given in the department which the form names. */
export function RolesField({ value, onChange, onBlur, values, disabled }: ControlPart<number[] | undefined>) {
  const t = useT();
  const [text, setText] = useState('');
  const deptId = typeof values.deptId === 'number' ? values.deptId : undefined;
  const chosen = value ?? [];
  const { rows, busy } = useFound(roleCalls.list, text, chosen, {}, deptId === undefined ? {} : { deptId });
  return (
    <MultiSelect
      label={t('member.roles')}
      options={rows.map((one) => ({ value: one.id, label: one.name }))}
      value={chosen}
      onChange={onChange}
      onBlur={onBlur}
      onSearch={setText}
      busy={busy}
      disabled={disabled}
      nothing={<WayToMade madeOn={['role', 'managerRole']} />}
    />
  );
}
