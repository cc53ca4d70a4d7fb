import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { importingPartly, importTemplate } from '../kit/import.ts';
import { BulkOutcome, bulkOf } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { ById, Day, Id, Moment, ref, revises, secret } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { Address, Contact, Phone } from '../merchant/fields.ts';
import { currencies, MOST_PHOTOS, Part } from '../shared/money.ts';
import { Money } from '../shared/patterns.ts';
import { orderCostMachine, orderMachine, orderWarrantyMachine, RETURN_DAYS } from './state-machines.ts';

/** The picklist of faults. */
export const FAULTS = 'orderFault';
export const MOST_FILES = 5;

const Words = z.string().trim().max(2000);
const Shipped = z.string().trim().max(64).default('');
const Photos = z.array(Id).max(MOST_PHOTOS).default([]);
/** Who acts: who ordered, or who repairs. */
export const orderSides = ['customer', 'service'] as const;

/** A terminal that its organisation has repaired by a service partner; both have it. */
export const Order = entity(
  'order',
  {
    number: read(z.string(), { sort: true, code: true }),
    state: state(orderMachine, { filter: true }),
    costs: read(stateOf(orderCostMachine), { filter: true, names: 'life.orderCost.' }),
    deviceId: field(ref('device'), { fixed: true, filter: true, help: true }),
    sn: read(z.string(), { sort: true, code: true, text: 'device.sn' }),
    productId: read(Id.nullable(), { filter: true, text: 'device.product' }),
    productName: read(z.string(), { text: 'device.product' }),
    merchantId: read(Id.nullable(), { filter: true }),
    merchantName: read(z.string(), { text: 'order.merchantId' }),
    shopName: read(z.string(), { text: 'maintenance.shopId' }),
    partnerId: field(Id, { filter: true, help: true }),
    partnerName: read(z.string(), { text: 'order.partnerId' }),
    /** Whom to ask there, and where the terminal goes. */
    partnerAddress: joined(z.string()),
    contactName: field(Contact),
    phone: field(Phone),
    address: field(Address, { help: true }),
    fault: field(z.string().trim().min(1).max(64), { filter: true, dict: FAULTS }),
    description: field(Words.default('')),
    photos: field(Photos, { help: true }),
    dueOn: field(Day.nullable().default(null), { sort: true, filter: true }),
    late: joined(z.boolean(), { filter: true }),
    /** The next step is one's own side's. */
    waiting: joined(z.boolean(), { filter: true }),
    /** The reader is its engineer. */
    mine: joined(z.boolean(), { filter: true }),
    /** Under way, and no engineer is named. */
    unassigned: joined(z.boolean(), { filter: true }),
    outCarrier: field(Shipped),
    outNumber: field(Shipped),
    backCarrier: read(z.string()),
    backNumber: read(z.string()),
    diagnosis: read(z.string()),
    workDone: read(z.string()),
    currency: read(z.enum(currencies), { names: 'maintenance.currency.' }),
    parts: read(z.array(Part)),
    labour: read(z.string()),
    /** Of parts and labour, in hundredths of the currency. */
    total: read(z.int(), { sort: true }),
    warrantyUntil: read(Day.nullable()),
    inWarranty: joined(z.boolean()),
    /** What the service partner says of it. */
    warranty: read(stateOf(orderWarrantyMachine), { filter: true, names: 'life.orderWarranty.' }),
    warrantyReason: read(z.string()),
    engineerId: read(Id.nullable(), { filter: true }),
    engineer: read(z.string()),
    replacementId: read(Id.nullable()),
    replacementSn: read(z.string()),
    reason: read(z.string()),
    side: joined(z.enum(orderSides), { filter: true }),
    /** Whoever reads it has the terminal and its merchant in their own range, whichever side they are. */
    inReach: joined(z.boolean()),
    deptId: read(Id, { filter: true }),
    deptName: read(z.string()),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true, filter: true }),
    /** Since when it is on its way back. */
    returnedAt: joined(Moment.nullable()),
    closedAt: read(Moment.nullable(), { sort: true }),
  },
  {
    rowClass: 'owned',
    order: '-createdAt',
    search: { text: ['number', 'sn', 'contactName', 'merchantName', 'outNumber', 'backNumber', 'replacementSn'] },
  },
);

const see = 'order:order:page';
const can = <A extends string>(act: A) => `order:order:${act}` as const;
const handling = can('handle');
const paying = can('approve');
const { id } = ById.shape;
/** The order as it was read: what came meanwhile is neither overwritten nor answered. */
const seen = { id, ...revises('order') };
/** Something that the other side is told the reason of. */
const because = z.strictObject({ id, reason: Words.min(1) });
const back = { backCarrier: Shipped, backNumber: Shipped };

const bulk = bulkOf(Order.criteria);
const many = { output: BulkOutcome, tx: 'own' } as const;
const assigned = { engineerId: Id.nullable().optional(), dueOn: Day.nullable().optional() };

/** By days, weeks and months. */
export const OrderDays = z.enum(['30', '90', '365']);

const Entry = z.object({
  id: Id,
  /** Null: a message. */
  event: z.string().nullable(),
  side: z.enum(orderSides),
  /** Seen by the people of this side alone. */
  internal: z.boolean(),
  text: z.string(),
  /** The names of what was changed. */
  fields: z.array(z.string()),
  by: z.string(),
  at: Moment,
  files: z.array(z.object({ id: Id, name: z.string(), size: z.number() })),
});

export const orderCalls = calls('order', '/order', {
  ...crud(
    Order,
    { see, add: can('add'), update: can('update') },
    {
      faults: {
        add: ['ORDER_PARTNER', 'ORDER_OPEN', 'ORDER_DUE_PAST', 'FILE_KIND_REFUSED'],
        update: ['ORDER_PARTNER', 'ORDER_ACCEPTED', 'ORDER_DUE_PAST', 'FILE_KIND_REFUSED'],
      },
    },
  ),
  template: importTemplate(can('add')),
  import: importingPartly(can('add')),
  /** Who may repair: the own organisation, those above it, and those below it. */
  partners: call({
    can: see,
    reads: true,
    input: z.strictObject({ text: z.string().trim().max(64).default(''), ids: z.array(Id).max(50).optional() }),
    output: z.array(z.object({ id: Id, name: z.string() })),
  }),
  /** Members of the service partner who may repair, for its own people who do; without an order, those of the organisation that one acts for. */
  engineers: call({
    can: see,
    reads: true,
    input: z.strictObject({
      id: ref('order').optional(),
      text: z.string().trim().max(64).default(''),
      ids: z.array(Id).max(50).optional(),
    }),
    output: z.array(z.object({ id: Id, name: z.string(), account: z.string() })),
  }),
  accept: call({
    can: handling,
    input: z.strictObject({ id, engineerId: Id.nullable().default(null), dueOn: Day.nullable().optional() }),
    output: Order.row,
    faults: ['ORDER_SIDE', 'ORDER_DUE_PAST'],
    tx: 'own',
  }),
  acceptMany: call({ can: handling, input: bulk, ...many }),
  receiveMany: call({ can: handling, input: bulk, ...many }),
  assignMany: call({ can: handling, input: bulk.extend(assigned), faults: ['ORDER_DUE_PAST'], ...many }),
  deliveredMany: call({ can: can('confirm'), input: bulk, ...many }),
  cancelMany: call({ can: can('cancel'), input: bulk.extend({ reason: Words.default('') }), ...many }),
  assign: call({
    can: handling,
    input: z.strictObject({ ...seen, ...assigned }),
    output: Order.row,
    faults: ['ORDER_SIDE', 'ORDER_DUE_PAST'],
    tx: 'own',
    about: 'Says who repairs the terminal, and until when; what isn’t given stays.',
  }),
  decline: call({
    can: handling,
    input: because,
    output: Order.row,
    faults: ['ORDER_SIDE', 'ORDER_SENT'],
    tx: 'own',
    about: 'The service partner won’t repair it; the terminal stays where it is.',
  }),
  cancel: call({
    can: can('cancel'),
    input: z.strictObject({ id, reason: Words.default('') }),
    output: Order.row,
    faults: ['ORDER_SIDE', 'ORDER_ARRIVED'],
    tx: 'own',
  }),
  receive: call({ can: handling, input: ById, output: Order.row, faults: ['ORDER_SIDE'], tx: 'own' }),
  unreceive: call({
    can: handling,
    input: because,
    output: Order.row,
    faults: ['ORDER_SIDE', 'ORDER_DIAGNOSED'],
    tx: 'own',
    about: 'It was said to have arrived by mistake: the service partner expects the terminal again.',
  }),
  /** Of the repair, beside those of the fault. */
  addPhotos: call({
    can: handling,
    input: z.strictObject({ id, photos: z.array(Id).min(1).max(MOST_PHOTOS) }),
    output: Order.row,
    faults: ['ORDER_SIDE', 'ORDER_PHOTOS', 'FILE_KIND_REFUSED'],
    tx: 'own',
  }),
  /**
   * What is wrong, whether warranty covers it, and what it costs, also what is found during the repair. Without warranty the ordering side is
   * asked to approve what is to be paid; a repair that has begun waits for it.
   */
  quote: call({
    can: handling,
    input: z.strictObject({
      ...seen,
      diagnosis: Words.min(1),
      currency: z.enum(currencies).default('1'),
      parts: z.array(Part).max(50).default([]),
      labour: Money.or(z.literal('')).default(''),
      /** Whether warranty covers the repair; what was said before, or the record, where it is left out. Against the record it needs a reason. */
      covered: z.boolean().optional(),
      warrantyReason: Words.default(''),
    }),
    output: Order.row,
    faults: ['ORDER_SIDE'],
    tx: 'own',
  }),
  acceptWarranty: call({
    can: paying,
    /** What was read, so that nobody agrees to words that came meanwhile. */
    input: z.strictObject({ ...seen, diagnosis: Words, warrantyReason: Words }),
    output: Order.row,
    faults: ['ORDER_SIDE', 'ORDER_OWN_COSTS'],
    tx: 'own',
    about: 'Who ordered agrees that no warranty covers the repair.',
  }),
  disputeWarranty: call({
    can: paying,
    input: z.strictObject({ ...seen, reason: Words.min(1) }),
    output: Order.row,
    faults: ['ORDER_SIDE'],
    tx: 'own',
    about: 'Who ordered says that warranty covers it: nothing is paid or repaired until the partner states it anew.',
  }),
  /** Exactly these costs, in hundredths of this currency: others that were entered meanwhile aren't agreed to. */
  approveCosts: call({
    can: paying,
    input: z.strictObject({ ...seen, total: z.int().min(0), currency: z.enum(currencies) }),
    output: Order.row,
    faults: ['ORDER_SIDE', 'ORDER_OWN_COSTS'],
    tx: 'own',
  }),
  declineCosts: call({
    can: paying,
    input: z.strictObject({ ...seen, reason: Words.min(1) }),
    output: Order.row,
    faults: ['ORDER_SIDE'],
    tx: 'own',
  }),
  diagnose: call({
    can: handling,
    input: ById,
    output: Order.row,
    faults: ['ORDER_SIDE', 'ORDER_DIAGNOSIS', 'ORDER_COSTS', 'ORDER_WARRANTY_OPEN', 'ORDER_WARRANTY'],
    tx: 'own',
    about: 'The repair begins.',
  }),
  refuse: call({
    can: handling,
    input: z.strictObject({ id, reason: Words.min(1), ...back }),
    output: Order.row,
    faults: ['ORDER_SIDE'],
    tx: 'own',
    about: 'The terminal goes back unrepaired.',
  }),
  repaired: call({
    can: handling,
    input: z.strictObject({ id, workDone: Words.min(1), ...back }),
    output: Order.row,
    faults: ['ORDER_SIDE'],
    tx: 'own',
  }),
  /** Terminals of the partner's stock, for its own people. */
  replacements: call({
    can: handling,
    reads: true,
    input: z.strictObject({ id: ref('order'), text: z.string().trim().max(64).default('') }),
    output: z.array(z.object({ id: Id, sn: z.string(), productName: z.string() })),
  }),
  replace: call({
    can: handling,
    input: z.strictObject({ id, replacementId: Id, workDone: Words.default(''), ...back }),
    output: Order.row,
    faults: ['ORDER_SIDE', 'ORDER_REPLACEMENT', 'DEVICE_PRODUCT'],
    tx: 'own',
    about: 'Another terminal of the partner’s stock goes to where the faulty one stood.',
  }),
  delivered: call({ can: can('confirm'), input: ById, output: Order.row, faults: ['ORDER_SIDE'], tx: 'own' }),
  closeReturn: call({
    can: handling,
    /** What proves the delivery. */
    input: because,
    output: Order.row,
    faults: ['ORDER_SIDE', 'ORDER_RETURN_EARLY'],
    tx: 'own',
    about: `The service partner closes an order whose delivery nobody has confirmed for ${RETURN_DAYS} days.`,
  }),
  /** How the terminal travels: there by who ordered, back by who repairs. */
  ship: call({
    can: 'order:order:update||order:order:handle',
    input: z.strictObject({ ...seen, carrier: Shipped, number: Shipped }),
    output: Order.row,
    faults: ['ORDER_SIDE'],
    tx: 'own',
  }),
  /** Who is asked and where the terminal goes back to, also once the partner has accepted the order. */
  contact: call({
    can: can('update'),
    // What isn't named isn't emptied.
    input: z.strictObject({
      ...seen,
      contactName: Contact.removeDefault(),
      phone: Phone.removeDefault(),
      address: Address.removeDefault(),
    }),
    output: Order.row,
    faults: ['ORDER_SIDE'],
    tx: 'own',
  }),
  say: call({
    can: 'order:order:update||order:order:handle',
    input: z.strictObject({
      id: ref('order'),
      // The log is read above both sides, and a note is for one.
      text: secret(Words.min(1)),
      files: z.array(Id).max(MOST_FILES).default([]),
      /** A note for the own side, which the other one never sees. */
      internal: z.boolean().default(false),
    }),
    output: z.null(),
    faults: ['FILE_KIND_REFUSED'],
    tx: 'own',
  }),
  /** The order as a PDF, in the language of whoever asks. */
  document: call({ can: see, reads: true, wire: 'binary', tx: 'own', input: z.strictObject({ id: ref('order') }) }),
  /** What happened and was said, the newest first. */
  entries: call({
    can: see,
    reads: true,
    input: z.strictObject({ id: ref('order'), before: Id.optional(), size: z.int().min(1).max(100).default(30) }),
    output: z.object({ content: z.array(Entry), next: Id.nullable() }),
  }),
  /** Orders that were made in a time, by the time, the fault and the product. */
  statistic: call({
    can: see,
    reads: true,
    input: z.strictObject({
      days: OrderDays.default('90'),
      criteria: Order.criteria.pick({ deptId: true, partnerId: true, merchantId: true, productId: true }).prefault({}),
    }),
    output: z.object({
      times: z.array(z.object({ from: Day, made: z.int(), closed: z.int(), cancelled: z.int() })),
      faults: z.array(z.object({ fault: z.string(), count: z.int() })),
      products: z.array(z.object({ name: z.string(), count: z.int() })),
      /** From the order to the delivery, of those that are closed; null where none is. */
      averageDays: z.number().nullable(),
    }),
  }),
  /** Open orders of the scope. */
  summary: call({
    can: see,
    reads: true,
    output: z.object({ open: z.int(), late: z.int(), waiting: z.int(), capped: z.boolean() }),
  }),
});
