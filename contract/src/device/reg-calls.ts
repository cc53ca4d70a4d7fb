import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, Remark, ref } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { DeviceStatus } from './schemas.ts';
import { enrolCodeMachine, pendingMachine } from './state-machines.ts';
import { trustCalls } from './trust.ts';

/** A terminal that asks to be let in. */
export const PendingDevice = z.object({
  id: Id,
  sn: z.string(),
  state: stateOf(pendingMachine),
  /** Is its SN known here already, and whose is it? */
  expected: z.boolean(),
  deptName: z.string().nullable(),
  productCode: z.string(),
  model: z.string().nullable(),
  fingerprint: z.string(),
  ip: z.string(),
  tries: z.int(),
  firstAt: Moment,
  lastAt: Moment,
  reason: z.string().nullable(),
  /** The maker's authority that vouches for its SN. */
  factory: z.string().nullable(),
  /** The rule that would have let it in if it brought a factory certificate, and whose. */
  rule: z.string().nullable(),
  /** Whose code it brought, where its SN stands in another organisation. */
  codeOf: z.string().nullable(),
  ...allowedActions,
});

/** A terminal that is known and hasn't been in contact yet. */
export const ExpectedDevice = z.object({
  id: Id,
  sn: z.string(),
  name: z.string(),
  status: DeviceStatus,
  productName: z.string(),
  deptName: z.string(),
  createdAt: Moment,
  enrolledAt: Moment.nullable(),
});

export const EnrolCodeStatus = z.enum(['active', 'used', 'expired', 'withdrawn']);
export const EnrolCode = z.object({
  id: Id,
  hint: z.string(),
  sn: z.string().nullable(),
  deptId: Id,
  deptName: z.string(),
  productId: Id.nullable(),
  productName: z.string().nullable(),
  uses: z.int(),
  maxUses: z.int(),
  state: stateOf(enrolCodeMachine),
  /** What it is good for now: a code used up or past its time lets nobody in, though it wasn't withdrawn. */
  status: EnrolCodeStatus,
  expiresAt: Moment,
  createdAt: Moment,
  by: z.string().nullable(),
  ...allowedActions,
});

/** The code itself is shown once; only its hash is kept. */
export const EnrolCodeMade = EnrolCode.extend({ code: z.string(), command: z.string() });

export const EnrolCodeNew = z.strictObject({
  deptId: ref('dept'),
  productId: ref('product').optional(),
  /** For this one terminal; otherwise for any SN that isn't somebody else's. */
  sn: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9-]{4,32}$/, { message: 'invalid.sn' })
    .optional(),
  maxUses: z.int().min(1).max(100_000).default(1),
  hours: z.int().min(1).max(720).default(24),
});

const expectedFilters = { sn: filter.text(32), deptId: filter.exact(Id) };
const codeFilters = { status: filter.exact(EnrolCodeStatus), deptId: filter.exact(Id) };
const pendingFilters = { sn: filter.text(32), state: filter.exact(stateOf(pendingMachine)) };
const pendingBulk = bulkOf(criteriaOf(pendingFilters));

export const regCalls = calls('device', '/device/reg', {
  page: call({
    can: 'device:reg:page',
    reads: true,
    input: pageQuery(pendingFilters, ['-lastAt', 'sn']),
    output: pageOf(PendingDevice),
  }),
  export: exporting('device:reg:page', criteriaOf(pendingFilters)),
  expected: call({
    can: 'device:reg:page',
    reads: true,
    input: pageQuery(expectedFilters, ['-createdAt', 'sn']),
    output: pageOf(ExpectedDevice),
  }),
  exportExpected: exporting('device:reg:page', criteriaOf(expectedFilters)),
  accept: call({
    can: 'device:reg:accept',
    input: pendingBulk.extend({ deptId: ref('dept').optional(), productId: ref('product').optional() }),
    output: BulkOutcome,
  }),
  refuse: call({ can: 'device:reg:accept', input: pendingBulk.extend({ reason: Remark.default('') }), output: BulkOutcome }),
  codes: call({
    can: 'device:reg:page',
    reads: true,
    input: pageQuery(codeFilters, ['-createdAt']),
    output: pageOf(EnrolCode),
  }),
  exportCodes: exporting('device:reg:page', criteriaOf(codeFilters)),
  code: call({ can: 'device:reg:code', input: EnrolCodeNew, output: EnrolCodeMade, faults: ['SN_TAKEN'] }),
  codeWithdraw: call({ can: 'device:reg:code', input: ById, output: EnrolCode }),
  ...trustCalls,
});
