import { Product, productCalls } from '@mooring/contract/product/calls';
import { productMachine } from '@mooring/contract/product/state-machines';
import { DictLabel } from '../../kit/choices.ts';
import { detailPage } from '../../kit/detail/detail-page.tsx';
import { rowAction } from '../../kit/list/types.ts';
import { ProductPicture } from '../../kit/product-picture.tsx';
import { ModelTab } from './model/model-tab.tsx';
import { editPath } from './product-actions.ts';
import { ProductOverview } from './product-overview.tsx';
import { Sharing } from './sharing.tsx';

export const productPage = detailPage({
  call: productCalls.detail,
  nameOf: (row) => row.name,
  state: { machine: productMachine, of: (row) => row.publishStatus },
  facts: [
    { key: 'code', title: 'product.code', kind: 'code' },
    { key: 'category', title: 'product.category', cell: (row) => <DictLabel type="productCategory" value={row.category} /> },
    { key: 'firm', title: 'product.firmId' },
    {
      key: 'industry',
      title: 'product.industry',
      cell: (row) => <DictLabel type="industry" value={row.industry} />,
      when: (row) => row.industry !== '',
    },
    { key: 'networks', title: 'product.networks', kind: 'tags', names: Product.fields.networks.options.names },
    { key: 'packageKinds', title: 'product.packageKinds', kind: 'tags', names: Product.fields.packageKinds.options.names },
    { key: 'deptName', title: 'product.dept' },
    { key: 'createdAt', title: 'product.createdAt', kind: 'moment' },
    { key: 'remark', title: 'product.remark', when: (row) => row.remark !== '' },
  ],
  actions: [
    rowAction(productCalls.publish, {
      label: 'event.product.publish',
      icon: 'check',
      allowedAction: 'publish',
      successText: 'done.published',
    }),
    { key: 'edit', label: 'product.edit', icon: 'edit', allowedAction: 'update', to: editPath },
    rowAction(productCalls.unpublish, {
      label: 'event.product.unpublish',
      allowedAction: 'unpublish',
      successText: 'done.unpublished',
      confirm: { text: 'product.unpublish.about' },
    }),
  ],
  slots: { picture: ({ row }) => <ProductPicture of={row} size={56} /> },
  tabs: [
    { key: 'overview', title: 'product.overview', Body: ProductOverview },
    { key: 'model', title: 'model.title', Body: ModelTab },
    { key: 'sharing', title: 'product.sharing', Body: Sharing },
  ],
});
