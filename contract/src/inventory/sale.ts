import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { ById, Day, Moment, Remark, ref } from '../kit/schema.ts';
import { currencies } from '../shared/money.ts';
import { Money } from '../shared/patterns.ts';
import { DocumentNumber, listed } from './fields.ts';
import { saleMachine } from './state-machines.ts';

/** Terminals of one sale. */
export const MOST_SOLD = 1000;
const Price = Money.or(z.literal('')).default('');

/** A terminal of the stock that was issued for good, to a merchant or a buyer by name. */
export const Sale = entity(
  'sale',
  {
    deviceId: field(ref('device'), { fixed: true, filter: true, help: true }),
    sn: read(z.string(), { sort: true, code: true, text: 'device.sn' }),
    productName: read(z.string(), { text: 'device.product' }),
    number: field(DocumentNumber, { fixed: true, sort: true, code: true, help: true }),
    state: state(saleMachine, { filter: true }),
    merchantId: field(ref('merchant').nullable().default(null), { fixed: true, filter: true }),
    merchantName: joined(z.string().nullable(), { text: 'sale.merchantId' }),
    buyer: field(z.string().trim().max(100).default(''), { help: true }),
    currency: field(z.enum(currencies).default('1')),
    price: field(Price),
    soldAt: field(Day, { sort: true, filter: true }),
    warrantyUntil: field(Day.nullable().default(null), { filter: true }),
    returnedAt: read(Moment.nullable()),
    remark: field(Remark.default('')),
    deptName: joined(z.string(), { text: 'device.dept' }),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true, filter: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['sn', 'number', 'buyer'] } },
);

const see = 'inventory:sale:page';
const can = <A extends string>(act: A) => `inventory:sale:${act}` as const;
export const saleCalls = calls('inventory', '/device/sales', {
  ...crud(
    Sale,
    { see, add: can('add'), update: can('update') },
    { faults: { add: ['NOT_IN_STOCK', 'IN_TRANSFER', 'STILL_SOLD', 'MERCHANT_ELSEWHERE'], update: ['SALE_RETURNED'] } },
  ),
  /** One document for many. A terminal has a price of its own, or that of all; one that can't be sold keeps all of them, each named. */
  addMany: call({
    can: can('add'),
    input: z.strictObject({
      items: z
        .array(z.strictObject({ sn: z.string().max(64), price: z.string().trim().max(32).default('') }))
        .min(1)
        .max(MOST_SOLD),
      number: DocumentNumber,
      merchantId: ref('merchant').nullable().default(null),
      buyer: z.string().trim().max(100).default(''),
      currency: z.enum(currencies).default('1'),
      price: Price,
      soldAt: Day,
      warrantyUntil: Day.nullable().default(null),
      remark: Remark.default(''),
    }),
    output: z.object({ ...listed, number: z.string() }),
    faults: ['MERCHANT_ELSEWHERE'],
    timeout: 60,
    about: 'Sells terminals of the stock under one document, all of them or none.',
  }),
  takeBack: call({
    can: can('return'),
    input: ById,
    output: Sale.row,
    faults: ['SALE_ELSEWHERE'],
    about: 'The terminal comes back into stock.',
  }),
});
