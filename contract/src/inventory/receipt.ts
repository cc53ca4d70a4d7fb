import { z } from 'zod';
import { MOST_SNS } from '../device/group-calls.ts';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { joined, read, state } from '../kit/field.ts';
import { BulkOutcome, selectionOf } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, Name, Remark, ref } from '../kit/schema.ts';
import { DocumentNumber, transferReasons } from './fields.ts';
import { transferMachine } from './state-machines.ts';

/** A dispatch as its receiver sees it. */
export const Receipt = entity(
  'receipt',
  {
    number: read(z.string(), { sort: true, code: true }),
    fromName: read(z.string()),
    waiting: read(z.int()),
    accepted: read(z.int()),
    refused: read(z.int()),
    gone: read(z.int()),
    document: read(z.string(), { code: true }),
    signedBy: read(z.string()),
    remark: read(z.string(), { text: 'dispatch.remark' }),
    deptId: read(Id, { filter: true }),
    deptName: joined(z.string(), { text: 'receipt.deptId' }),
    sentBy: read(z.string()),
    createdAt: read(Moment, { sort: true, filter: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['number', 'fromName', 'document'] } },
);

/** One terminal of a dispatch, as its receiver sees it. */
export const Arrival = entity(
  'arrival',
  {
    sn: read(z.string(), { sort: true, code: true, text: 'device.sn' }),
    receiptId: read(Id, { filter: true }),
    deviceId: read(Id),
    productName: read(z.string(), { text: 'device.product' }),
    state: state(transferMachine, { filter: true, text: 'transfer.state' }),
    reason: read(z.enum(transferReasons).nullable(), { text: 'transfer.reason', names: 'transfer.reason.' }),
    note: read(z.string(), { text: 'transfer.note' }),
    changedAt: read(Moment, { sort: true, text: 'transfer.changedAt' }),
  },
  { rowClass: 'owned', order: 'sn', search: { text: ['sn'] } },
);

/** Lines of a signature: each from where the pen touched to where it left, on a field of 400 by 140. */
export const Strokes = z.array(z.array(z.int().min(0).max(400)).min(4).max(800)).max(60);

const see = 'inventory:receipt:page';
const faults = ['RECEIPT_STATE', 'RECEIPT_UNEXPECTED'];
const { page, detail, export: exportPage } = crud(Receipt, { see });
const arrivals = crud(Arrival, { see });
/** Those that are named, by their ids or as they were scanned; all that it may happen to otherwise. */
const some = {
  id: ref('receipt'),
  ids: z.array(Id).min(1).max(10_000).optional(),
  sns: z.array(z.string().max(64)).max(MOST_SNS).default([]),
};

const signed = { document: DocumentNumber, signedBy: Name, signature: Strokes.default([]) };
const refused = { reason: Remark.min(1) };
const back = { reason: Remark.default('') };
/** What is chosen in a list, and what is said of it. */
const many = <C extends z.ZodType, S extends z.core.$ZodShape>(
  can: 'inventory:receipt:accept' | 'inventory:receipt:return',
  criteria: C,
  said: S,
) =>
  call({
    can,
    input: z.strictObject({ of: selectionOf(criteria), preview: z.boolean().default(false), ...said }),
    output: BulkOutcome,
    tx: 'own',
    faults: ['CHOSEN_MANY'],
  });

export const receiptCalls = calls('inventory', '/device/receipt', {
  page,
  detail,
  export: exportPage,
  accept: call({
    can: 'inventory:receipt:accept',
    input: z.strictObject({ ...some, ...signed }),
    output: BulkOutcome,
    faults,
    tx: 'own',
    about: 'Takes terminals that were sent: they come into the receiver’s stock.',
  }),
  refuse: call({
    can: 'inventory:receipt:accept',
    input: z.strictObject({ ...some, ...refused }),
    output: BulkOutcome,
    faults,
    tx: 'own',
  }),
  giveBack: call({
    can: 'inventory:receipt:return',
    input: z.strictObject({ ...some, ...back }),
    output: BulkOutcome,
    faults,
    tx: 'own',
    about: 'Gives terminals that were accepted back to their sender.',
  }),
  acceptMany: many('inventory:receipt:accept', Receipt.criteria, signed),
  refuseMany: many('inventory:receipt:accept', Receipt.criteria, refused),
  giveBackMany: many('inventory:receipt:return', Receipt.criteria, back),
  signatures: call({
    can: see,
    reads: true,
    input: z.strictObject({ id: ref('receipt') }),
    output: z.array(z.object({ id: Id, document: z.string(), signedBy: z.string(), signature: Strokes, terminals: z.int(), at: Moment })),
  }),
});
export const arrivalCalls = calls('inventory', '/device/receipt/arrival', {
  page: arrivals.page,
  export: arrivals.export,
  accept: many('inventory:receipt:accept', Arrival.criteria, signed),
  refuse: many('inventory:receipt:accept', Arrival.criteria, refused),
  giveBack: many('inventory:receipt:return', Arrival.criteria, back),
});
