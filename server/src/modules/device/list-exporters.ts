import { deviceCalls } from '@mooring/contract/device/calls';
import { regCalls } from '@mooring/contract/device/reg-calls';
import { commandMachine, deviceMachine } from '@mooring/contract/device/state-machines';
import { rowExporter } from '../../platform/work/row-exporter.ts';
import { pageCodes } from './make-enrol-code.ts';
import { pageCommands } from './page-commands.ts';
import { pageExpected } from './reg-pages.ts';

export const expectedExporter = rowExporter(regCalls.expected, regCalls.exportExpected, {
  title: 'reg.expected',
  page: pageExpected,
  sort: 'sn',
  columns: {
    sn: 'device.sn',
    name: 'device.name',
    status: ['device.status', deviceMachine],
    productName: 'device.product',
    deptName: 'device.dept',
    createdAt: 'device.createdAt',
  },
});

export const codeExporter = rowExporter(regCalls.codes, regCalls.exportCodes, {
  title: 'reg.codes',
  page: pageCodes,
  sort: 'createdAt',
  columns: {
    hint: 'reg.code.hint',
    status: ['device.status', 'reg.code.status.'],
    sn: 'reg.code.sn',
    productName: 'device.product',
    deptName: 'device.dept',
    uses: 'reg.code.uses',
    maxUses: 'reg.code.maxUses',
    expiresAt: 'reg.code.expiresAt',
    createdAt: 'device.createdAt',
    by: 'device.command.by',
  },
});

export const commandExporter = rowExporter(deviceCalls.commands, deviceCalls.exportCommands, {
  title: 'device.tab.commands',
  page: pageCommands,
  sort: 'createdAt',
  columns: {
    kind: ['device.command.kind', 'device.command.'],
    state: ['device.status', commandMachine],
    createdAt: 'device.createdAt',
    sentAt: 'device.command.sentAt',
    answeredAt: 'device.command.answeredAt',
    attempts: 'device.command.attempts',
    by: 'device.command.by',
    expiresAt: 'device.command.expiresAt',
  },
});
