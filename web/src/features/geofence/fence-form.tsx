import { Geofence, geofenceCalls } from '@mooring/contract/geofence/geofence';
import { useDepts, useGroups, useReceivers, useTerminals } from '../../kit/choices.ts';
import type { Values } from '../../kit/form/types.ts';
import { formDialogs } from '../../kit/resource/form-dialogs.tsx';
import type { FenceRow } from './corners.ts';
import { ShapeControl } from './shape-control.tsx';

const is =
  (name: string, ...values: readonly unknown[]) =>
  (given: object) =>
    values.includes((given as Values)[name]);
const isGiven = (name: string) => (given: object) => (given as Values)[name] !== null && (given as Values)[name] !== undefined;

export const fenceForm = formDialogs(Geofence, geofenceCalls, {
  initial: { shape: 'circle' },
  fields: [
    'name',
    { name: 'deptId', useChoices: useDepts, own: true },
    { name: 'shape', kind: 'one' },
    { name: 'radius', needed: true, when: is('shape', 'circle', 'shop') },
    { name: 'lat', needed: true, when: is('shape', 'circle') },
    { name: 'lon', needed: true, when: is('shape', 'circle') },
    { name: 'area', label: 'geofence.draw', Control: ShapeControl, wide: true, unmarked: true },
    { name: 'audience', kind: 'one' },
    { name: 'groupIds', kind: 'multi', useChoices: useGroups, needed: true, when: is('audience', 'groups') },
    {
      name: 'deviceIds',
      kind: 'multi',
      useChoices: (text, chosen) => useTerminals(text, chosen),
      needed: true,
      when: is('audience', 'devices'),
    },
    { name: 'alarmOn', kind: 'one' },
    { name: 'outMinutes', when: is('alarmOn', 'out') },
    'margin',
    'fixes',
    'settleMinutes',
    'priority',
    { name: 'receiverIds', kind: 'multi', useChoices: useReceivers },
    'channels',
    { name: 'tellEnd', kind: 'switch' },
    'repeatHours',
    'escalateMinutes',
    { name: 'escalateIds', kind: 'multi', useChoices: useReceivers, needed: true, when: isGiven('escalateMinutes') },
    'quietFrom',
    'quietTo',
    { name: 'quietThrough', kind: 'switch', when: (values) => values.quietFrom !== '' },
    { name: 'enabled', kind: 'switch' },
  ],
  wide: true,
});

/** Another one like it, under a name of its own. */
export const valuesOfCopy = (row: FenceRow, name: string): Values => ({
  ...Object.fromEntries(Object.keys(Geofence.add.shape).map((key) => [key, (row as Values)[key]])),
  name: name.slice(0, 64),
});
