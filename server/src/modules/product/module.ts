import { productCalls, productCategoryCalls } from '@mooring/contract/product/calls';
import { handlers, type Module } from '../../platform/module.ts';
import { addProduct, deleteProduct, moveProduct, updateProduct } from './change-product.ts';
import { listProducts, pageProducts, visibleCategories } from './page-products.ts';
import { readProduct } from './product.queries.ts';

export const product: Module = {
  name: 'product',
  refs: { product: 'product_product' },
  routes: [
    ...handlers(productCalls, {
      page: pageProducts,
      detail: (ctx, { id }) => readProduct(ctx, id),
      add: addProduct,
      update: updateProduct,
      delete: deleteProduct,
      publish: moveProduct('publish'),
      unpublish: moveProduct('unpublish'),
      list: listProducts,
    }),
    ...handlers(productCategoryCalls, { visible: visibleCategories }),
  ],
};
