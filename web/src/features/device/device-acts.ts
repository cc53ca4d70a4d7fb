import { deviceCalls } from '@mooring/contract/device/calls';
import { COMMAND_HOURS, commandKinds } from '@mooring/contract/device/commands';
import type { Device } from '@mooring/contract/device/schemas';
import { useDepts } from '../../kit/choices.ts';
import type { Values } from '../../kit/form/types.ts';
import { bulkAct, rowAct } from '../../kit/list/types.ts';

/** The calls take many; a row's menu sends one. */
const one = (row: Device) => ({ of: { ids: [row.id] } });

export const deviceActs = [
  rowAct(deviceCalls.issue, { said: 'device.done.issued', label: 'event.device.issue', offer: 'issue', input: one }),
  rowAct(deviceCalls.stockIn, { said: 'device.done.stocked', label: 'event.device.stockIn', offer: 'stockIn', input: one }),
  rowAct(deviceCalls.enable, { said: 'done.enabled', label: 'event.device.enable', offer: 'enable', icon: 'play', input: one }),
  rowAct(deviceCalls.disable, {
    said: 'done.disabled',
    label: 'event.device.disable',
    offer: 'disable',
    danger: true,
    input: one,
    confirm: { text: 'device.disable.about' },
  }),
  rowAct(deviceCalls.restore, { said: 'done.restored', label: 'device.restore', offer: 'restore' }),
  rowAct(deviceCalls.delete, {
    said: 'done.deleted',
    label: 'device.delete',
    offer: 'delete',
    danger: true,
    input: one,
    confirm: { text: 'device.delete.about', type: true },
  }),
];

const has = (kind: string) => (values: Values) => values.kind === kind;

/** Fields of a command, for one device and for many. */
export const commandForm = {
  fields: [
    {
      name: 'kind',
      label: 'device.command.kind',
      kind: 'one',
      choices: commandKinds.map((kind) => ({ value: kind, label: `device.command.${kind}` as const })),
    },
    { name: 'title', label: 'device.command.title', kind: 'text', wide: true, when: has('message') },
    { name: 'text', label: 'device.command.text', kind: 'area', when: has('message') },
    { name: 'lines', label: 'device.command.lines', kind: 'number', when: has('logPull') },
    { name: 'hours', label: 'device.command.hours', kind: 'number' },
  ],
  initial: { kind: 'reboot', title: '', text: '', lines: 500, hours: COMMAND_HOURS } as Values,
  input: ({ kind, title, text, lines, hours }: Values) => ({
    command: { kind, params: kind === 'message' ? { title, text } : kind === 'logPull' ? { lines } : {} },
    hours,
  }),
} as const;

export const deviceBulk = [
  bulkAct(deviceCalls.command, { said: 'device.done.commandMany', label: 'device.bulk.command', icon: 'right', form: commandForm }),
  bulkAct(deviceCalls.move, {
    said: 'device.done.movedMany',
    label: 'device.bulk.move',
    form: { fields: [{ name: 'deptId', label: 'device.dept', kind: 'one', useChoices: useDepts }], initial: {} },
  }),
  bulkAct(deviceCalls.enable, { said: 'device.done.enabledMany', label: 'device.bulk.enable' }),
  bulkAct(deviceCalls.disable, { said: 'device.done.disabledMany', label: 'device.bulk.disable', danger: true }),
  bulkAct(deviceCalls.delete, { said: 'device.done.deletedMany', label: 'device.bulk.delete', danger: true, type: true }),
];
