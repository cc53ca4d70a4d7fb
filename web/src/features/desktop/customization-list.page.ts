import { Customization, customizationCalls } from '@mooring/contract/desktop/customization';
import { systemCustomizationKind } from '@mooring/contract/desktop/kinds';
import { listPage } from '../../kit/list/list-page.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { copyOf, moves, nextOf, releaseOf } from './content-actions.ts';
import { customizationKind } from './content-kinds.ts';

export const customizationList = listPage(Customization, customizationCalls, {
  code: 'customization.list',
  path: '/pos/customization',
  columns: [
    { key: 'name', link: ({ id }: { id: number }) => `/pos/customization/detail/${id}` },
    'number',
    'state',
    'productName',
    'statusBar',
    'navigationKeys',
    off('brightness'),
    off('volume'),
    { key: 'size', kind: 'size' },
    'deptName',
    off('createdBy'),
    'createdAt',
    off('version'),
    off('remark'),
  ],
  moves,
  rowActions: [nextOf(customizationKind), copyOf(customizationCalls.copy), releaseOf(systemCustomizationKind)],
  deleting: { text: 'content.delete.about' },
  emptyText: 'customization.emptyText',
});
