import { productCategoryCalls } from '@mooring/contract/product/calls';
import { handlers, type Module } from '../../platform/module.ts';
import { products } from './product.resource.ts';
import { visibleCategories } from './visible-categories.ts';

export const product: Module = {
  name: 'product',
  resources: [products],
  routes: handlers(productCategoryCalls, { visible: visibleCategories }),
};
