import type { InputOf } from '@mooring/contract/kit/call';
import type { deptCalls } from '@mooring/contract/org/calls';
import { useZones } from '../../kit/choices.ts';
import type { FieldSpec } from '../../kit/form/types.ts';

type Common = Omit<InputOf<typeof deptCalls.update>, 'id'>;
/** What every unit says of itself. */
export const deptFields: readonly FieldSpec<Common>[] = [
  { name: 'name', label: 'org.name', wide: true },
  { name: 'timeZone', label: 'org.timeZone', kind: 'one', useChoices: useZones },
  { name: 'contactName', label: 'org.contactName' },
  { name: 'contactPhone', label: 'org.contactPhone' },
  { name: 'contactEmail', label: 'org.contactEmail', kind: 'text' },
  { name: 'address', label: 'org.address', kind: 'text', wide: true },
  { name: 'remark', label: 'org.remark', kind: 'area' },
];
