import { Advert, advertCalls } from '@mooring/contract/desktop/advert';
import { storeAdvertSpaceKind } from '@mooring/contract/desktop/kinds';
import { listPage } from '../../kit/list/list-page.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { copyOf, moves, nextOf, releaseOf } from './content-actions.ts';
import { advertKind } from './content-kinds.ts';

export const advertList = listPage(Advert, advertCalls, {
  code: 'advert.list',
  path: '/pos/advert',
  columns: [
    { key: 'name', link: ({ id }: { id: number }) => `/pos/advert/detail/${id}` },
    'place',
    'number',
    'state',
    'productName',
    { key: 'items', kind: 'number', cell: ({ items }) => items.length },
    { key: 'size', kind: 'size' },
    off('fromDay'),
    off('toDay'),
    'deptName',
    off('createdBy'),
    'createdAt',
    off('version'),
    off('remark'),
  ],
  moves,
  rowActions: [nextOf(advertKind), copyOf(advertCalls.copy), releaseOf(storeAdvertSpaceKind)],
  deleting: { text: 'content.delete.about' },
  emptyText: 'advert.emptyText',
});
