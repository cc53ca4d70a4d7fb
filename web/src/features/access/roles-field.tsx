import { roleCalls } from '@mooring/contract/access/role-calls';
import { useState } from 'react';
import type { ControlPart } from '../../kit/form/types.ts';
import { useCall } from '../../kit/queries.ts';
import { WayToMade } from '../../kit/way-to-made.tsx';
import { MultiSelect } from '../../ui/controls.tsx';
import { useT } from '../../ui/words.ts';

/** The roles that may be given in the department which the form names. */
export function RolesField({ value, onChange, onBlur, values, disabled }: ControlPart<number[] | undefined>) {
  const t = useT();
  const [text, setText] = useState('');
  const deptId = typeof values.deptId === 'number' ? values.deptId : undefined;
  const chosen = value ?? [];
  const found = useCall(roleCalls.list, { text, ...(deptId === undefined ? {} : { deptId }) }, { keep: true });
  const missing = chosen.filter((id) => !found.data?.some((one) => one.id === id));
  const named = useCall(roleCalls.list, { ids: missing }, { enabled: missing.length > 0 });
  const roles = [...(found.data ?? []), ...(missing.length > 0 ? (named.data ?? []) : [])];
  return (
    <MultiSelect
      label={t('member.roles')}
      options={roles.map((one) => ({ value: one.id, label: one.name }))}
      value={chosen}
      onChange={onChange}
      onBlur={onBlur}
      onSearch={setText}
      busy={found.fetching || named.fetching}
      disabled={disabled}
      nothing={<WayToMade madeOn={['role', 'managerRole']} />}
    />
  );
}
