import { Product, productCalls } from '@mooring/contract/product/calls';
import { productCategoryCalls } from '@mooring/contract/product/category-calls';
import { firmCalls } from '@mooring/contract/product/firm-calls';
import { useDict, useFirms } from '../../kit/choices.ts';
import { Link } from '../../kit/link.tsx';
import { listPage } from '../../kit/list/list-page.tsx';
import { ProductPicture } from '../../kit/product-picture.tsx';
import { off } from '../../kit/resource/entity-column.tsx';
import { Categories, Firms, Industries } from './part-drawers.tsx';
import { editPath, PRODUCTS, productPath } from './product-actions.ts';

export const productList = listPage(Product, productCalls, {
  code: 'product.list',
  path: PRODUCTS,
  editPath,
  open: productPath,
  columns: [
    {
      key: 'name',
      width: 240,
      cell: (row) => (
        <span className="m-row">
          <ProductPicture of={row} size={26} />
          <Link to={productPath(row)}>{row.name}</Link>
        </span>
      ),
    },
    'code',
    'publishStatus',
    'category',
    'firm',
    off('industry'),
    off('heartbeatSeconds'),
    'deptName',
    'createdAt',
  ],
  filters: [
    { field: 'category', label: 'product.category', useChoices: (text) => useDict('productCategory', text) },
    { field: 'firmId', label: 'product.firmId', useChoices: useFirms },
    { field: 'publishStatus', label: 'product.publishStatus', machine: Product.machine as never },
  ],
  actions: [
    { key: 'firms', aside: true, label: 'firm.title', call: firmCalls.page, Dialog: Firms },
    { key: 'industries', aside: true, label: 'industry.title', call: firmCalls.page, Dialog: Industries },
    { key: 'categories', aside: true, label: 'productCategory.title', call: productCategoryCalls.page, Dialog: Categories },
    { key: 'add', label: 'product.add', icon: 'add', primary: true, call: productCalls.add, to: `${PRODUCTS}/new` },
  ],
  moves: {
    publish: { successText: 'done.published' },
    unpublish: { successText: 'done.unpublished', confirm: { text: 'product.unpublish.about' } },
  },
  deleting: { text: 'product.delete.about', type: true },
  emptyText: 'product.emptyText',
});
