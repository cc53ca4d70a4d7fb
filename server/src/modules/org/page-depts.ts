import { deptCalls } from '@mooring/contract/org/calls';
import type { Dept } from '@mooring/contract/org/schemas';
import { orgMachine } from '@mooring/contract/org/state-machines';
import { sql } from 'kysely';
import type { z } from 'zod';
import { all, contains, exact } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { listExporter, momentCell } from '../../platform/work/exporter.ts';
import { deptOf, selectDepts } from './dept.queries.ts';

/** The tree as a list. Past the policy with the scope's range said here, as the tree is: a trigram index can't be used through a policy. */
export const pageDepts: Handler<typeof deptCalls.page> = (ctx, { criteria, page: wanted }) => {
  const { path } = ctx.scope;
  const within = sql<boolean>`o.state not in ('applied', 'refused') and o.dept_path >= ${path} and o.dept_path < ${`${path}~`}`;
  const chosen = all(contains('o.name', criteria.text), exact('o.kind', criteria.kind), exact('o.state', criteria.state));
  return ctx.unscoped((db) =>
    page(db, selectDepts(db).where(within).where(chosen), { page: wanted, sorts: { name: 'o.name' }, id: 'o.id', map: deptOf(ctx) }),
  );
};

export const deptExporter = listExporter<z.input<typeof Dept>>(deptCalls.export, {
  title: 'org.title',
  sort: 'name',
  page: pageDepts,
  columns: {
    name: { title: 'org.name', cell: (row) => row.name },
    id: { title: 'org.number', cell: (row) => row.id },
    kind: { title: 'org.kind', cell: (row, lang) => t(lang, `org.kind.${row.kind}`) },
    parentName: { title: 'org.parent', cell: (row) => row.parentName },
    state: { title: 'org.state', cell: (row, lang) => t(lang, `life.org.${orgMachine.byCode[row.state]}`) },
    timeZone: { title: 'org.timeZone', cell: (row) => row.timeZone },
    contactName: { title: 'org.contactName', cell: (row) => row.contactName },
    contactPhone: { title: 'org.contactPhone', cell: (row) => row.contactPhone },
    contactEmail: { title: 'org.contactEmail', cell: (row) => row.contactEmail },
    address: { title: 'org.address', cell: (row) => row.address },
    remark: { title: 'org.remark', cell: (row) => row.remark },
    createdAt: { title: 'org.createdAt', cell: (row) => momentCell(row.createdAt) },
  },
});
