import { z } from 'zod';
import { calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud, picker } from '../kit/resource-calls.ts';
import { Moment, Name, Remark } from '../kit/schema.ts';
import { WebUrl } from '../shared/patterns.ts';
import { ProductCode } from './calls.ts';

/** Who makes products. */
export const Firm = entity(
  'firm',
  {
    name: field(Name, { sort: true }),
    code: field(ProductCode, { unique: 'FIRM_CODE_TAKEN', sort: true, code: true }),
    /** ISO 3166; empty where it isn't known. */
    country: field(z.union([z.string().regex(/^[A-Z]{2}$/, 'invalid.country'), z.literal('')]).default('')),
    website: field(z.union([WebUrl.max(200), z.literal('')]).default('')),
    remark: field(Remark.default('')),
    products: joined(z.int()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'shared', order: 'name', search: { text: ['name', 'code'] } },
);

const edit = 'product:firm:edit';
export const firmCalls = calls('product', '/firm', {
  ...crud(Firm, { see: 'product:product:page', add: edit, update: edit, delete: edit }, { faults: { delete: ['FIRM_IN_USE'] } }),
  list: picker(Firm, ['code', 'name']),
});
