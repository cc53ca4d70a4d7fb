import { deviceCalls } from '@mooring/contract/device/calls';
import { COMMAND_HOURS, commandKinds } from '@mooring/contract/device/commands';
import { deviceGroupCalls } from '@mooring/contract/device/group-calls';
import type { Device } from '@mooring/contract/device/schemas';
import { deviceThingCalls } from '@mooring/contract/device/thing/thing-calls';
import { releaseTo } from '../../engines/rollout/release-act.tsx';
import { assignMerchant, unassignMerchant } from '../../kit/assign-merchant.tsx';
import { useDepts, useStaticGroups } from '../../kit/choices.ts';
import { download } from '../../kit/downloads.ts';
import { ConfigControl } from '../../kit/form/config-control.tsx';
import type { Values } from '../../kit/form/types.ts';
import { testHardware } from '../../kit/hardware-parts.tsx';
import { registerAtIot } from '../../kit/iot-platforms.ts';
import { bulkAct, rowAction } from '../../kit/list/types.ts';
import { thingForm } from './thing/thing-form.tsx';

/** The calls take many; a row's menu sends one. */
const one = (row: Device) => ({ of: { ids: [row.id] } });

export const deviceActs = [
  {
    key: 'labels',
    label: 'device.labels.one' as const,
    icon: 'print' as const,
    run: (row: Device) => download(deviceCalls.labels, one(row), `${row.sn}.pdf`),
  },
  rowAction(deviceCalls.issue, { successText: 'device.done.issued', label: 'event.device.issue', allowedAction: 'issue', input: one }),
  rowAction(deviceCalls.stockIn, {
    successText: 'device.done.stocked',
    label: 'event.device.stockIn',
    allowedAction: 'stockIn',
    input: one,
  }),
  rowAction(deviceCalls.enable, {
    successText: 'done.enabled',
    label: 'event.device.enable',
    allowedAction: 'enable',
    icon: 'play',
    input: one,
  }),
  rowAction(deviceCalls.disable, {
    successText: 'done.disabled',
    label: 'event.device.disable',
    allowedAction: 'disable',
    danger: true,
    input: one,
    undo: { call: deviceCalls.enable, input: one, successText: 'done.enabled' },
    confirm: { text: 'device.disable.about' },
  }),
  rowAction(deviceCalls.restore, { successText: 'done.restored', label: 'device.restore', allowedAction: 'restore' }),
  rowAction(deviceCalls.delete, {
    successText: 'done.deleted',
    label: 'device.delete',
    allowedAction: 'delete',
    danger: true,
    input: one,
    undo: { call: deviceCalls.restore, successText: 'done.restored' },
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

export const intoGroup = {
  fields: [{ name: 'groupId', label: 'deviceGroup.name', kind: 'one', useChoices: useStaticGroups }],
  initial: {},
} as const;

export const moveMany = bulkAct(deviceCalls.move, {
  successText: 'device.done.movedMany',
  label: 'device.bulk.move',
  text: 'device.move.about',
  form: { fields: [{ name: 'deptId', label: 'device.dept', kind: 'one', useChoices: useDepts }], initial: {} },
});

/** The most frequent first: those that find no room stand below _More_. */
export const deviceBulk = [
  releaseTo,
  bulkAct(deviceCalls.command, { successText: 'device.done.commandMany', label: 'device.bulk.command', icon: 'right', form: commandForm }),
  moveMany,
  bulkAct(deviceCalls.disable, {
    successText: 'device.done.disabledMany',
    label: 'device.bulk.disable',
    danger: true,
    undo: { call: deviceCalls.enable, successText: 'device.done.enabledMany' },
  }),
  assignMerchant,
  bulkAct(deviceGroupCalls.addMembers, {
    successText: 'device.done.groupedMany',
    label: 'device.bulk.addToGroup',
    icon: 'group',
    form: intoGroup,
  }),
  bulkAct(deviceCalls.retag, {
    successText: 'device.done.retaggedMany',
    label: 'device.bulk.retag',
    icon: 'tag',
    form: {
      fields: [
        { name: 'add', label: 'device.retag.add', kind: 'tags', wide: true },
        { name: 'remove', label: 'device.retag.remove', kind: 'tags', wide: true },
      ],
      initial: { add: [], remove: [] },
    },
  }),
  bulkAct(deviceCalls.setConfigMany, {
    successText: 'device.done.configuredMany',
    label: 'device.bulk.configure',
    icon: 'settings',
    text: 'device.configMany.about',
    form: {
      fields: [
        { name: 'values', label: 'device.configMany.values', Control: ConfigControl, wide: true },
        { name: 'remove', label: 'device.configMany.remove', kind: 'tags', help: 'device.configMany.remove.help', wide: true },
      ],
      initial: { values: {}, remove: [] },
    },
  }),
  testHardware,
  registerAtIot,
  bulkAct(deviceThingCalls.setMany, {
    successText: 'device.done.thingMany',
    label: 'thing.setMany',
    icon: 'edit',
    text: 'thing.setMany.about',
    form: thingForm,
  }),
  bulkAct(deviceCalls.enable, { successText: 'device.done.enabledMany', label: 'device.bulk.enable' }),
  bulkAct(deviceCalls.labels, { label: 'device.bulk.labels', icon: 'print', fileName: 'labels.pdf' }),
  unassignMerchant,
  bulkAct(deviceGroupCalls.removeMembers, {
    successText: 'device.done.ungroupedMany',
    label: 'device.bulk.removeFromGroup',
    form: intoGroup,
  }),
  bulkAct(deviceCalls.restoreMany, { successText: 'device.done.restoredMany', label: 'device.bulk.restore' }),
  bulkAct(deviceCalls.delete, {
    successText: 'device.done.deletedMany',
    label: 'device.bulk.delete',
    danger: true,
    type: true,
    undo: { call: deviceCalls.restoreMany, successText: 'device.done.restoredMany' },
  }),
];
