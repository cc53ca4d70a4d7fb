import { type PendingDevice, regCalls } from '@mooring/contract/device/reg-calls';
import { pendingMachine } from '@mooring/contract/device/state-machines';
import type { z } from 'zod';
import { t } from '../../platform/texts/translate.ts';
import { listExporter, momentCell } from '../../platform/work/exporter.ts';
import { pagePending } from './reg-pages.ts';

export const pendingExporter = listExporter<z.input<typeof PendingDevice>>(regCalls.export, {
  title: 'reg.asking',
  sort: 'sn',
  page: pagePending,
  columns: {
    sn: { title: 'device.sn', cell: (row) => row.sn },
    state: { title: 'device.status', cell: (row, lang) => t(lang, `life.devicePending.${pendingMachine.byCode[row.state]}`) },
    expected: { title: 'reg.expectedSn', cell: (row, lang) => t(lang, row.expected ? 'kit.yes' : 'kit.no') },
    deptName: { title: 'device.dept', cell: (row) => row.deptName },
    productCode: { title: 'reg.productCode', cell: (row) => row.productCode },
    factory: { title: 'reg.factory', cell: (row) => row.factory },
    fingerprint: { title: 'reg.fingerprint', cell: (row) => row.fingerprint },
    ip: { title: 'reg.ip', cell: (row) => row.ip },
    tries: { title: 'reg.tries', cell: (row) => row.tries },
    lastAt: { title: 'reg.lastAt', cell: (row) => momentCell(row.lastAt) },
    reason: { title: 'reg.reason', cell: (row) => row.reason },
  },
});
