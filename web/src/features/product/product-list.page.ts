import { Product, productCalls } from '@mooring/contract/product/calls';
import { listPage } from '../../kit/list/list-page.tsx';
import { off } from '../../kit/resource/entity-column.tsx';

export const productList = listPage(Product, productCalls, {
  code: 'product.list',
  path: '/device/product',
  columns: ['name', 'code', 'publishStatus', 'category', 'firm', off('industry'), off('heartbeatSeconds'), 'deptName', 'createdAt'],
  moves: {
    publish: { successText: 'done.published' },
    unpublish: { successText: 'done.unpublished', confirm: { text: 'product.unpublish.about' } },
  },
  deleting: { text: 'product.delete.about', type: true },
  emptyText: 'product.emptyText',
});
