import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { importingPartly, importTemplate } from '../kit/import.ts';
import { BulkOutcome, bulkOf, selectionOf } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { ById, Id, Moment, Remark, ref } from '../kit/schema.ts';
import { DocumentNumber, listed, Sns, transferReasons } from './fields.ts';
import { dispatchMachine, transferMachine } from './state-machines.ts';
import { Stock } from './stock.ts';

/** Terminals that go to another organisation under one document, as their sender sees them. */
export const Dispatch = entity(
  'dispatch',
  {
    number: field(DocumentNumber, { unique: 'DOCUMENT_TAKEN', fixed: true, sort: true, code: true, help: true }),
    state: state(dispatchMachine, { filter: true }),
    toId: field(Id, { fixed: true, filter: true, help: true }),
    toName: read(z.string(), { text: 'dispatch.toId' }),
    total: read(z.int()),
    sent: read(z.int()),
    received: read(z.int()),
    failed: read(z.int()),
    back: read(z.int()),
    remark: field(Remark.default(''), { fixed: true }),
    deptId: read(Id),
    deptName: joined(z.string()),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true, filter: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['number', 'toName', 'remark'] } },
);

/** One terminal of a dispatch. */
export const Transfer = entity(
  'transfer',
  {
    sn: read(z.string(), { sort: true, code: true, text: 'device.sn' }),
    dispatchId: read(Id, { filter: true }),
    deviceId: read(Id),
    productName: read(z.string(), { text: 'device.product' }),
    state: state(transferMachine, { filter: true }),
    sentAt: read(Moment.nullable()),
    reason: read(z.enum(transferReasons).nullable()),
    note: read(z.string()),
    changedAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: 'sn', search: { text: ['sn'] } },
);

const see = 'inventory:dispatch:page';
const can = <A extends string>(act: A) => `inventory:dispatch:${act}` as const;
const { page, detail, export: exportPage } = crud(Dispatch, { see });
const transfers = crud(Transfer, { see });
const about = {
  toId: Id,
  /** Its whole name, where it stands beside: an id alone says nothing of it. */
  toName: z.string().trim().max(100).default(''),
  number: DocumentNumber,
  remark: Remark.default(''),
};
const faults = ['DOCUMENT_TAKEN', 'DISPATCH_TARGET', 'DEVICE_PRODUCT'] as const;
/** What is chosen in a list. */
const many = <C extends z.ZodType>(criteria: C) =>
  ({ input: bulkOf(criteria), output: BulkOutcome, tx: 'own', faults: ['CHOSEN_MANY'] }) as const;
/** Of one dispatch: those that are named, or all to which it may happen. */
const some = { id: ref('dispatch'), ids: z.array(Id).min(1).max(10_000).optional() };

export const dispatchCalls = calls('inventory', '/device/dispatch', {
  page,
  detail,
  export: exportPage,
  /** Where terminals may go: organisations of the scope, the one above it, and others of the product line by their whole name. */
  targets: call({
    can: see,
    reads: true,
    input: z.strictObject({ text: z.string().trim().max(64).default(''), ids: z.array(Id).max(50).optional() }),
    output: z.array(z.object({ id: Id, name: z.string() })),
  }),
  add: call({
    can: can('add'),
    input: z.strictObject({ ...about, sns: Sns, anyway: z.boolean().default(false) }),
    output: z.object({ ...listed, id: Id.nullable(), number: z.string() }),
    faults,
    timeout: 60,
    about: 'Lists terminals in a new dispatch by their serial numbers.',
  }),
  fromStock: call({
    can: can('add'),
    input: z.strictObject({ of: selectionOf(Stock.criteria), ...about, preview: z.boolean().default(false) }),
    output: BulkOutcome,
    faults,
    timeout: 60,
    about: 'Lists terminals of the stock in a new dispatch.',
  }),
  /** Sends terminals of it to the receiver, who answers; also those that failed or came back before. */
  transfer: call({
    can: can('transfer'),
    input: z.strictObject(some),
    output: BulkOutcome,
    tx: 'own',
    faults: ['DISPATCH_STATE', 'DISPATCH_TARGET'],
  }),
  /** Takes terminals back, from the way or from the receiver. */
  takeBack: call({ can: can('withdraw'), input: z.strictObject(some), output: BulkOutcome, tx: 'own', faults: ['DISPATCH_STATE'] }),
  withdraw: call({ can: can('withdraw'), input: ById, output: Dispatch.row, faults: ['DISPATCH_OUT'] }),
  delete: call({ can: can('delete'), input: ById, faults: ['DISPATCH_OUT'] }),
  transferMany: call({
    can: can('transfer'),
    ...many(Dispatch.criteria),
    about: 'Sends whatever of the chosen dispatches is not sent yet.',
  }),
  withdrawMany: call({ can: can('withdraw'), ...many(Dispatch.criteria) }),
  deleteMany: call({ can: can('delete'), ...many(Dispatch.criteria) }),
  template: importTemplate(can('add')),
  import: importingPartly(can('add')),
});

export const transferCalls = calls('inventory', '/device/dispatch/transfer', {
  page: transfers.page,
  export: transfers.export,
  /** The chosen ones: also those that failed or came back before. */
  send: call({ can: can('transfer'), ...many(Transfer.criteria) }),
  takeBack: call({ can: can('withdraw'), ...many(Transfer.criteria) }),
});
