import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, ref } from '../kit/schema.ts';

export const shareSides = ['giver', 'receiver'] as const;
/** A product that is shared, as one of its sides sees it: with whom, or by whom. */
export const ProductShare = entity(
  'productShare',
  {
    otherName: read(z.string(), { sort: true }),
    side: read(z.enum(shareSides), { filter: true }),
    productId: field(ref('product'), { fixed: true, filter: true, text: 'model.productId' }),
    otherId: read(Id),
    deptName: joined(z.string()),
    sharedBy: read(z.string()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['otherName'] } },
);

const { page, export: exportPage } = crud(ProductShare, { see: 'product:product:page' });
const can = 'product:share';
export const productShareCalls = calls('product', '/product/share', {
  page,
  export: exportPage,
  share: call({
    can,
    path: '/product/share',
    input: z.strictObject({ id: ref('product'), deptIds: z.array(ref('dept')).min(1).max(100) }),
    output: z.object({ shared: z.int() }),
    faults: ['SHARE_INSIDE'],
  }),
  /** For the choice of those to share with: who doesn't use the product anyway, at most 50. */
  receivers: call({
    can,
    reads: true,
    path: '/product/share/receivers',
    input: z.strictObject({ id: ref('product'), text: z.string().max(64).default(''), ids: z.array(Id).max(100).optional() }),
    output: z.array(z.object({ id: Id, name: z.string() })),
  }),
  unshare: call({
    can,
    path: '/product/unshare',
    input: z.strictObject({ id: ref('product'), shareId: Id }),
    faults: ['SHARE_IN_USE'],
  }),
});
