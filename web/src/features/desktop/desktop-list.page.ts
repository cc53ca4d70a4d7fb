import { Desktop, desktopCalls } from '@mooring/contract/desktop/desktop';
import { customizeDesktopKind } from '@mooring/contract/desktop/kinds';
import { listPage } from '../../kit/list/list-page.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { copyOf, moves, releaseOf } from './content-actions.ts';

export const desktopList = listPage(Desktop, desktopCalls, {
  code: 'desktop.list',
  path: '/diyDesktop',
  columns: [
    { key: 'name', link: ({ id }: { id: number }) => `/diyDesktop/detail/${id}` },
    'state',
    'productName',
    { key: 'layout', cell: ({ layout }) => `${layout.columns} × ${layout.rows}` },
    { key: 'size', kind: 'size' },
    'deptName',
    off('createdBy'),
    'createdAt',
    off('version'),
    off('remark'),
  ],
  moves,
  rowActions: [copyOf(desktopCalls.copy), releaseOf(customizeDesktopKind)],
  deleting: { text: 'content.delete.about' },
  emptyText: 'desktop.emptyText',
});
