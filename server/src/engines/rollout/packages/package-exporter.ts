import type { Package, PackageCalls } from '@mooring/contract/engines/rollout/package-calls';
import { packageMachine } from '@mooring/contract/engines/rollout/state-machines';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import type { z } from 'zod';
import type { Ctx } from '../../../platform/context.ts';
import { page } from '../../../platform/db/page.ts';
import { t } from '../../../platform/texts/translate.ts';
import { type Exporter, listExporter, momentCell } from '../../../platform/work/exporter.ts';
import { type PackageRow, packageConditions, packageRow, packageSorts, packagesOf } from './package-queries.ts';

export const pagePackages = (kind: TaskKind) => (ctx: Ctx, input: z.output<PackageCalls['page']['input']>) =>
  page(ctx.db, packagesOf(ctx.db, kind).where(packageConditions(input.criteria)), {
    page: input.page,
    sorts: packageSorts,
    id: 'f.id',
    map: (row: PackageRow) => packageRow(kind, row, ctx.actor, ctx.scope.path),
  });

type Row = z.input<typeof Package>;
const columns: Exporter<Row>['columns'] = {
  version: { title: 'firmware.package.version', cell: (row) => row.version },
  name: { title: 'firmware.package.name', cell: (row) => row.name },
  productName: { title: 'firmware.package.product', cell: (row) => row.productName },
  kind: { title: 'firmware.package.kind', cell: (row, lang) => t(lang, `firmware.package.kind.${row.kind}`) },
  base: { title: 'firmware.package.base', cell: (row) => row.base ?? null },
  publishState: {
    title: 'firmware.package.state',
    cell: (row, lang) => t(lang, `life.package.${packageMachine.byCode[row.publishState]}`),
  },
  size: { title: 'firmware.package.size', cell: (row) => row.size },
  fileName: { title: 'firmware.package.file', cell: (row) => row.fileName },
  sha256: { title: 'firmware.package.sha256', cell: (row) => row.sha256 },
  md5: { title: 'firmware.package.md5', cell: (row) => row.md5 },
  note: { title: 'firmware.package.note', cell: (row) => row.note },
  createdBy: { title: 'firmware.package.createdBy', cell: (row) => row.createdBy },
  createdAt: { title: 'firmware.package.createdAt', cell: (row) => momentCell(row.createdAt) },
};

export const packageExporter = (kind: TaskKind, calls: Pick<PackageCalls, 'export'>) =>
  listExporter<Row>(calls.export, { title: 'work.export.package', sort: 'createdAt', page: pagePackages(kind), columns });
