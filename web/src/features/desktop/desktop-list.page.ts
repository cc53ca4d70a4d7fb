import { Desktop, desktopCalls } from '@mooring/contract/desktop/desktop';
import { customizeDesktopKind } from '@mooring/contract/desktop/kinds';
import { screensOf } from '@mooring/contract/desktop/layout';
import { listPage } from '../../kit/list/list-page.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { copyOf, moves, nextOf, releaseOf } from './content-actions.ts';
import { desktopKind } from './content-kinds.ts';

export const desktopList = listPage(Desktop, desktopCalls, {
  code: 'desktop.list',
  path: '/diyDesktop',
  columns: [
    { key: 'name', link: ({ id }: { id: number }) => `/diyDesktop/detail/${id}` },
    'number',
    'state',
    'productName',
    { key: 'layout', cell: ({ layout }) => [...screensOf(layout)].map(({ columns, rows }) => `${columns} × ${rows}`).join(', ') },
    { key: 'size', kind: 'size' },
    'deptName',
    off('createdBy'),
    'createdAt',
    off('version'),
    off('remark'),
  ],
  moves,
  rowActions: [nextOf(desktopKind), copyOf(desktopCalls.copy), releaseOf(customizeDesktopKind)],
  deleting: { text: 'content.delete.about' },
  emptyText: 'desktop.emptyText',
});
