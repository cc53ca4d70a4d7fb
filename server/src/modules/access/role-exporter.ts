import { type Role, roleCalls } from '@mooring/contract/access/role-calls';
import type { z } from 'zod';
import { t } from '../../platform/texts/translate.ts';
import { listExporter, momentCell } from '../../platform/work/exporter.ts';
import { pageRoles } from './read-roles.ts';

export const roleExporter = listExporter<z.input<typeof Role>>(roleCalls.export, {
  title: 'access.title',
  sort: 'name',
  page: pageRoles,
  columns: {
    name: { title: 'access.name', cell: (row) => row.name },
    type: { title: 'access.type', cell: (row, lang) => t(lang, `access.type.${row.type}`) },
    platforms: { title: 'access.platforms', cell: (row, lang) => row.platforms.map((one) => t(lang, `platform.${one}`)).join('; ') },
    menuCount: { title: 'access.menuCount', cell: (row) => row.menuCount },
    holders: { title: 'access.holders', cell: (row) => row.holders },
    seeded: { title: 'access.seeded', cell: (row, lang) => t(lang, row.seeded ? 'kit.yes' : 'kit.no') },
    deptName: { title: 'access.dept', cell: (row) => row.deptName },
    category: { title: 'access.category', cell: (row, lang) => t(lang, `access.category.${row.category}`) },
    remark: { title: 'access.remark', cell: (row) => row.remark },
    createdAt: { title: 'access.createdAt', cell: (row) => momentCell(row.createdAt) },
  },
});
