import type { InputOf } from '@mooring/contract/kit/call';
import type { deptCalls } from '@mooring/contract/org/calls';
import type { FieldSpec } from '../../kit/form/types.ts';

type Common = Omit<InputOf<typeof deptCalls.update>, 'id'>;
const zones = Intl.supportedValuesOf('timeZone');

function useZones(text: string, chosen: readonly (string | number)[]) {
  const part = text.toLowerCase().replaceAll(' ', '_');
  const found = ['UTC', ...zones].filter((zone) => zone.toLowerCase().includes(part)).slice(0, 50);
  const all = [...new Set([...found, ...chosen.map(String)])];
  return { choices: all.map((zone) => ({ value: zone, label: { text: zone.replaceAll('_', ' ') } })) };
}

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
