import { z } from 'zod';
import { deviceCriteria } from '../device/calls.ts';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { joined, read, state } from '../kit/field.ts';
import { BulkOutcome, selectionOf } from '../kit/page.ts';
import { crud, moves } from '../kit/resource-calls.ts';
import { ById, Id, Moment, ref } from '../kit/schema.ts';
import { hardwareParts, partOutcomes } from './parts.ts';
import { hardwareTestMachine } from './state-machines.ts';

const Part = z.enum(hardwareParts);

/** What a terminal found of one of its parts. */
export const PartResult = z.object({
  part: Part,
  /** Null until it is tested. */
  outcome: z.enum(partOutcomes).nullable(),
  reason: z.string().nullable(),
  message: z.string().nullable(),
  figures: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type PartResult = z.infer<typeof PartResult>;

export const HardwareTest = entity(
  'hardwareTest',
  {
    sn: read(z.string(), { code: true, text: 'device.sn' }),
    deviceId: read(Id, { filter: true, text: 'hardwareTest.device' }),
    state: state(hardwareTestMachine, { filter: true }),
    parts: read(z.array(Part), { names: 'hardwareTest.part.' }),
    failedParts: read(z.array(Part), { names: 'hardwareTest.part.' }),
    /** The first of them; a filter by it finds any. */
    failedPart: joined(Part.nullable(), { filter: true, names: 'hardwareTest.part.' }),
    productId: read(Id, { filter: true, text: 'device.product' }),
    productName: joined(z.string(), { text: 'device.product' }),
    deptId: read(Id, { filter: true, text: 'device.dept' }),
    deptName: joined(z.string(), { text: 'device.dept' }),
    reason: read(z.string().nullable()),
    byName: read(z.string().nullable()),
    createdAt: read(Moment, { sort: true, filter: true }),
    startedAt: read(Moment.nullable()),
    endedAt: read(Moment.nullable()),
    expiresAt: read(Moment),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['sn'] } },
);

/** Terminals that are asked at once. */
export const HARDWARE_TEST_MOST = 200;
/** How long a test waits for an absent terminal, unless the person says otherwise. */
export const HARDWARE_TEST_HOURS = 24;

const asked = {
  parts: z
    .array(Part)
    .min(1)
    .max(hardwareParts.length)
    .default([...hardwareParts]),
  hours: z.int().min(1).max(720).default(HARDWARE_TEST_HOURS),
};
const can = <A extends string>(act: A) => `hardware:test:${act}` as const;

/** Specification section 7, `/hardWareTest/*`. */
export const hardwareTestCalls = calls('hardware-test', '/hardWareTest', {
  ...crud(HardwareTest, { see: can('page') }),
  detail: call({ can: can('page'), reads: true, input: ById, output: HardwareTest.row.extend({ results: z.array(PartResult) }) }),
  document: call({
    can: can('page'),
    reads: true,
    wire: 'binary',
    tx: 'own',
    input: ById,
    about: 'A test as PDF, in the language of who asks.',
  }),
  add: call({
    can: can('add'),
    input: z.strictObject({ deviceIds: z.array(ref('device')).min(1).max(HARDWARE_TEST_MOST), ...asked }),
    output: z.object({ asked: z.int(), refused: z.int(), id: Id }),
    faults: ['HARDWARE_TEST_NONE'],
    about:
      'Asks terminals to test parts of theirs. A terminal that is disabled, or under test already, is left out and counted as refused; `id` is the first test.',
  }),
  many: call({
    can: can('add'),
    tx: 'own',
    input: z.strictObject({ of: selectionOf(deviceCriteria), ...asked, preview: z.boolean().default(false) }),
    output: BulkOutcome,
    about:
      'The same of a selection of terminals. Those that are disabled, under test already, or say that they can’t test their hardware are refused; one that has never been in contact may be asked.',
  }),
  again: call({
    can: can('add'),
    input: ById,
    output: z.object({ asked: z.int(), refused: z.int(), id: Id }),
    faults: ['HARDWARE_TEST_NONE'],
    about: 'The same parts of the same terminal once more.',
  }),
  ...moves(HardwareTest, { cancel: can('add') }),
  ofDevice: call({
    can: can('page'),
    reads: true,
    input: z.strictObject({ deviceId: ref('device') }),
    output: z.object({ id: Id.nullable(), at: Moment.nullable(), failedParts: z.array(Part) }),
    about:
      'The parts of a terminal of which the newest result is a failure, and the newest test in which one of them failed; otherwise the newest with a result.',
  }),
});
