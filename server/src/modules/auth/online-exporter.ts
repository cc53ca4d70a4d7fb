import { type OnlineUser, onlineCalls } from '@mooring/contract/access/online-calls';
import type { z } from 'zod';
import { t } from '../../platform/texts/translate.ts';
import { listExporter, momentCell } from '../../platform/work/exporter.ts';
import { pageOnline } from './online.ts';

export const onlineExporter = listExporter<z.input<typeof OnlineUser>>(onlineCalls.export, {
  title: 'footprint.tab.online',
  sort: 'seenAt',
  page: pageOnline,
  columns: {
    name: { title: 'online.name', cell: (row) => row.name },
    account: { title: 'online.account', cell: (row) => row.account },
    deptName: { title: 'online.dept', cell: (row) => row.deptName },
    platform: { title: 'log.platform', cell: (row, lang) => t(lang, `platform.${row.platform}`) },
    ip: { title: 'log.ip', cell: (row) => row.ip },
    since: { title: 'online.since', cell: (row) => momentCell(row.since) },
    seenAt: { title: 'online.seenAt', cell: (row) => momentCell(row.seenAt) },
    userAgent: { title: 'online.agent', cell: (row) => row.userAgent },
  },
});
