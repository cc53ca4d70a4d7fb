import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { exporting } from '../kit/export.ts';
import { field, joined, read } from '../kit/field.ts';
import { importingPartly, importTemplate } from '../kit/import.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, Name, Remark, ref } from '../kit/schema.ts';
import { isTimeZone } from '../shared/time-zone.ts';
import { Address, City, Phone, PlaceNumber, position } from './fields.ts';
import { OpeningHours } from './opening-hours.ts';

/** A place of a merchant where terminals stand. */
export const Shop = entity(
  'shop',
  {
    merchantId: field(ref('merchant'), { fixed: true, filter: true }),
    merchantName: joined(z.string(), { text: 'shop.merchantId' }),
    number: field(PlaceNumber, { unique: 'SHOP_NUMBER_TAKEN', sort: true, code: true }),
    name: field(Name, { sort: true }),
    address: field(Address),
    city: field(City),
    phone: field(Phone),
    timeZone: field(z.string().max(64).refine(isTimeZone, 'invalid.timeZone').default('UTC'), { help: true }),
    openingHours: field(OpeningHours, { help: true }),
    ...position,
    remark: field(Remark.default('')),
    terminals: joined(z.int()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: 'number', search: { text: ['number', 'name', 'address'] } },
);

const see = 'merchant:merchant:page';
const can = <A extends string>(act: A) => `merchant:shop:${act}` as const;

export const shopCalls = calls('merchant', '/shop', {
  ...crud(Shop, { see, add: can('add'), update: can('update'), delete: can('delete') }, { faults: { delete: ['SHOP_IN_USE'] } }),
  export: exporting('merchant:merchant:export', Shop.criteria),
  template: importTemplate(can('add')),
  import: importingPartly(can('add')),
  /** For selects: at most 50 of one merchant, or of all, and those named by their ids. */
  search: call({
    can: 'merchant:merchant:page||device:device:page||device:all:page',
    reads: true,
    input: z.strictObject({
      merchantId: Id.optional(),
      text: z.string().trim().max(64).default(''),
      ids: z.array(Id).max(100).optional(),
    }),
    output: z.array(z.object({ id: Id, number: z.string(), name: z.string(), merchantName: z.string() })),
  }),
});
