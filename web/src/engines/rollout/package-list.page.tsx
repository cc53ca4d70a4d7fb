import { packageMachine } from '@mooring/contract/engines/rollout/state-machines';
import { useDepts, useProducts } from '../../kit/choices.ts';
import { listPage } from '../../kit/list/list-page.tsx';
import { bulkAct } from '../../kit/list/types.ts';
import type { Page } from '../../kit/route.ts';
import { AddPackage } from './add-package.tsx';
import { pageOf } from './kind-context.tsx';
import { packageActions, packagePath } from './package-actions.ts';
import type { PackageRelease } from './release-kind.ts';

export function packageList(kind: PackageRelease): Page {
  const calls = kind.calls.packages;
  const { name } = kind.packages;
  return pageOf(
    [kind],
    listPage({
      code: `${kind.of.kind}.package`,
      title: kind.packages.title,
      call: calls.page,
      search: { field: 'text', hint: 'firmware.package.search' },
      nameOf: (row) => [row.productName, row.name, row.version].filter(Boolean).join(' '),
      columns: [
        {
          key: 'version',
          title: 'firmware.package.version',
          sort: true,
          pinned: 'left',
          width: 150,
          link: (row) => packagePath(kind, row),
        },
        ...(name ? [{ key: 'name', title: name.label, width: 120 } as const] : []),
        { key: 'productName', title: 'firmware.package.product', width: 170 },
        { key: 'kind', title: 'firmware.package.kind', kind: 'name', names: 'firmware.package.kind.', width: 140 },
        { key: 'base', title: 'firmware.package.base', width: 120, off: true },
        { key: 'publishState', title: 'firmware.package.state', kind: 'state', machine: packageMachine, width: 140 },
        { key: 'size', title: 'firmware.package.size', kind: 'size', width: 110 },
        { key: 'fileName', title: 'firmware.package.file', width: 220 },
        { key: 'sha256', title: 'firmware.package.sha256', kind: 'code', width: 180, off: name !== undefined },
        { key: 'md5', title: 'firmware.package.md5', kind: 'code', off: true },
        { key: 'note', title: 'firmware.package.note', off: true },
        { key: 'createdBy', title: 'firmware.package.createdBy', width: 140 },
        { key: 'createdAt', title: 'firmware.package.createdAt', kind: 'moment', sort: true, width: 170 },
      ],
      filters: [
        ...(name ? [{ field: 'name', label: name.label } as const] : []),
        { field: 'productId', label: 'firmware.package.product', useChoices: useProducts },
        { field: 'kind', label: 'firmware.package.kind', names: 'firmware.package.kind.' },
        { field: 'publishState', label: 'firmware.package.state', machine: packageMachine },
        { field: 'deptId', label: 'firmware.task.dept', kind: 'one', useChoices: useDepts },
        { field: 'createdBy', label: 'firmware.package.createdBy' },
        { field: 'createdAt', label: 'firmware.package.createdAt' },
      ],
      actions: [{ key: 'add', label: 'firmware.package.add', icon: 'upload', primary: true, call: calls.add, Dialog: AddPackage }],
      rowActions: packageActions(kind),
      bulk: [
        bulkAct(calls.publishMany, {
          label: 'firmware.package.publishMany',
          successText: 'firmware.package.publishedMany',
          icon: 'send',
        }),
        bulkAct(calls.unpublishMany, { label: 'firmware.package.unpublishMany', successText: 'firmware.package.unpublishedMany' }),
        bulkAct(calls.deleteMany, {
          label: 'firmware.package.deleteMany',
          successText: 'firmware.package.deletedMany',
          text: 'firmware.package.deleteText',
          icon: 'delete',
          danger: true,
        }),
      ],
      export: calls.export,
      open: (row) => packagePath(kind, row),
      empty: { title: kind.packages.empty, text: kind.packages.emptyText },
    }),
  );
}
