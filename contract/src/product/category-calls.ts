import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment } from '../kit/schema.ts';
import { DictValue, Labels } from '../settings/dict-calls.ts';
import { productCategories } from './calls.ts';

/** Categories and industries are entries of their picklists, seen from the products. */
const code = DictValue.regex(/^[A-Za-z][A-Za-z0-9_.-]*$/, 'invalid.dictCode');
const entry = {
  value: field(code, { fixed: true, unique: 'DICT_ENTRY_TAKEN', sort: true, code: true, text: 'productCategory.value' }),
  label: joined(z.string(), { text: 'productCategory.label' }),
  labels: field(Labels, { text: 'productCategory.label' }),
  sort: field(z.int().min(0).max(9999).default(100), { sort: true, text: 'settings.dict.entry.sort' }),
  enabled: field(z.boolean().default(true), { filter: true, text: 'productCategory.enabled' }),
  products: joined(z.int(), { text: 'product.title' }),
  updatedAt: read(Moment, { text: 'settings.dict.updatedAt' }),
};
const how = { rowClass: 'shared', order: 'sort', search: { text: ['value'] } } as const;

export const ProductCategory = entity(
  'productCategory',
  {
    ...entry,
    /** Which drawn picture its products have that have no photo. */
    picture: field(z.enum(productCategories), { names: 'product.category.' }),
    /** Of the specification: its code stays, and it is never deleted. */
    system: read(z.boolean(), { text: 'settings.dict.system' }),
  },
  how,
);
export const Industry = entity('industry', entry, how);

const see = 'product:product:page';
const can = { category: 'product:category:edit', industry: 'product:industry:edit' } as const;
/** Specification section 7: the visible page takes criteria and page {size 100, number 1} and reads ids from body.content. */
export const productCategoryCalls = calls('product', '/productCategory', {
  visible: call({
    can: 'session',
    reads: true,
    path: '/productCategory/visible/page',
    input: pageQuery({ id: filter.exact(Id) }, ['id']),
    output: pageOf(z.object({ id: Id, code: z.string(), name: z.string(), products: z.int() })),
  }),
  ...crud(
    ProductCategory,
    { see, add: can.category, update: can.category, delete: can.category },
    { faults: { delete: ['CATEGORY_BUILT_IN', 'CATEGORY_IN_USE'] } },
  ),
});
export const industryCalls = calls(
  'product',
  '/industryProduct',
  crud(Industry, { see, add: can.industry, update: can.industry, delete: can.industry }, { faults: { delete: ['INDUSTRY_IN_USE'] } }),
);
