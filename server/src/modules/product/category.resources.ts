import { Industry, industryCalls, ProductCategory, productCategoryCalls } from '@mooring/contract/product/category-calls';
import { resource } from '../../platform/resource/resource.ts';
import { entriesOf, productsOf } from './entry-resource.ts';
import { visibleCategories } from './visible-categories.ts';

export const categories = resource(ProductCategory, productCategoryCalls, {
  ...entriesOf('productCategory', 'category'),
  refuses: { delete: (row) => (row.system ? 'CATEGORY_BUILT_IN' : productsOf(row) > 0 && 'CATEGORY_IN_USE') },
  handlers: { visible: visibleCategories },
});
export const industries = resource(Industry, industryCalls, {
  ...entriesOf('industry', 'industry'),
  refuses: { delete: (row) => productsOf(row) > 0 && 'INDUSTRY_IN_USE' },
});
