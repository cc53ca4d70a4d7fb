import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { joined, read } from '../kit/field.ts';
import { BulkOutcome, selectionOf } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, Remark, ref } from '../kit/schema.ts';
import { custodyEvents, DocumentNumber, entryTypes, listed, Sns } from './fields.ts';

/** A terminal that lies in stock, by the id of the terminal. */
export const Stock = entity(
  'stock',
  {
    sn: read(z.string(), { sort: true, code: true, text: 'device.sn' }),
    productId: read(Id, { filter: true, text: 'device.product' }),
    productName: joined(z.string(), { text: 'device.product' }),
    deptId: read(Id, { filter: true, text: 'device.dept' }),
    deptName: joined(z.string(), { text: 'device.dept' }),
    since: read(Moment, { sort: true, filter: true }),
    entryType: read(z.enum(entryTypes).nullable(), { filter: true, names: 'entry.type.' }),
    document: read(z.string(), { code: true }),
  },
  { rowClass: 'owned', order: '-since', search: { text: ['sn', 'document'] } },
);

/** How a terminal came to be here or into stock. */
export const Entry = entity(
  'entry',
  {
    sn: read(z.string(), { sort: true, code: true, text: 'device.sn' }),
    deviceId: read(Id),
    type: read(z.enum(entryTypes), { filter: true }),
    document: read(z.string(), { code: true, text: 'stock.document' }),
    deptId: read(Id, { filter: true, text: 'device.dept' }),
    deptName: joined(z.string(), { text: 'device.dept' }),
    byName: read(z.string()),
    createdAt: read(Moment, { sort: true, filter: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['sn', 'document', 'byName'] }, title: 'entry.title' },
);

const see = 'inventory:stock:page';
const { page, export: exportStock } = crud(Stock, { see });
const entries = crud(Entry, { see });

export const stockCalls = calls('inventory', '/inventory/device', {
  page,
  export: exportStock,
  /** From the counters that the writers of terminals keep; at most 100 products, the most in stock first. */
  products: call({
    can: see,
    reads: true,
    output: z.array(z.object({ id: Id, name: z.string(), photoId: Id.nullable(), picture: z.string(), count: z.int() })),
  }),
  warehouse: call({
    can: 'inventory:stock:in',
    path: '/device/warehouse',
    input: z.strictObject({
      sns: Sns,
      document: DocumentNumber,
      remark: Remark.default(''),
      /** Serial numbers that nobody has yet become terminals of this product. */
      productId: ref('product').nullable().default(null),
      anyway: z.boolean().default(false),
    }),
    output: z.object(listed),
    faults: ['PRODUCT_UNPUBLISHED', 'DEVICE_PRODUCT', 'SN_TAKEN'],
    timeout: 60,
    about: 'Puts terminals into stock by their serial numbers: all of a list or, unless the others are wanted anyway, none.',
  }),
  batchOut: call({
    can: 'inventory:stock:out',
    path: '/device/batchOut',
    input: z.strictObject({
      of: selectionOf(Stock.criteria),
      document: DocumentNumber,
      remark: Remark.default(''),
      preview: z.boolean().default(false),
    }),
    output: BulkOutcome,
    tx: 'own',
    about: 'Issues terminals from stock.',
  }),
});

export const entryCalls = calls('inventory', '/inventory/entry', { page: entries.page, export: entries.export });

export const custodyCalls = calls('inventory', '/inventory/custody', {
  ofDevice: call({
    can: 'device:device:page||device:all:page',
    reads: true,
    input: z.strictObject({ deviceId: ref('device'), before: Id.optional(), size: z.int().min(1).max(100).default(30) }),
    output: z.object({
      content: z.array(
        z.object({
          id: Id,
          event: z.enum(custodyEvents),
          entryType: z.enum(entryTypes).nullable(),
          from: z.string(),
          to: z.string(),
          document: z.string(),
          by: z.string(),
          remark: z.string(),
          at: Moment,
        }),
      ),
      next: Id.nullable(),
      /** Of its sale, as long as it isn't returned. */
      warranty: z.object({ document: z.string(), buyer: z.string(), soldAt: z.iso.date(), until: z.iso.date().nullable() }).nullable(),
    }),
    about: 'Through whose hands a terminal went, newest first.',
  }),
});
