import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { Id, Moment, Name, Remark, ref, revises, revision } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { Cidr } from '../shared/cidr.ts';
import { DeviceStatus } from './schemas.ts';
import { enrolCodeMachine, pendingMachine } from './state-machines.ts';

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

/** Lets in by itself who asks: by SN prefix and product, from an address range where one is given. */
export const EnrolRule = z.object({
  id: Id,
  name: z.string(),
  snPrefix: z.string(),
  productId: Id.nullable(),
  productName: z.string().nullable(),
  deptId: Id,
  deptName: z.string(),
  network: z.string().nullable(),
  onlyExpected: z.boolean(),
  onlyFactory: z.boolean(),
  enabled: z.boolean(),
  accepted: z.int(),
  remark: z.string(),
  ...revision,
  createdAt: Moment,
});
export type EnrolRule = z.infer<typeof EnrolRule>;
const SnPrefix = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9-]{0,32}$/, 'invalid.snPrefix')
  .default('');

export const EnrolRuleNew = z.strictObject({
  name: Name,
  snPrefix: SnPrefix,
  productId: ref('product').nullable().default(null),
  deptId: ref('dept'),
  /** Of addresses that may ask, for example 10.20.0.0/16. */
  network: Cidr.nullable().default(null),
  /** Only SNs that are known here already. */
  onlyExpected: z.boolean().default(true),
  /** Only terminals with a factory certificate that is trusted here. */
  onlyFactory: z.boolean().default(false),
  enabled: z.boolean().default(true),
  remark: Remark.default(''),
});

/** A maker's certificate authority: a terminal with a certificate below it is the SN that the certificate names. */
export const FactoryAuthority = z.object({
  id: Id,
  name: z.string(),
  subject: z.string(),
  fingerprint: z.string(),
  certificate: z.string(),
  expiresAt: Moment,
  snPrefix: z.string(),
  productId: Id.nullable(),
  productName: z.string().nullable(),
  deptId: Id,
  deptName: z.string(),
  revoked: z.array(z.string()),
  enabled: z.boolean(),
  accepted: z.int(),
  remark: z.string(),
  ...revision,
  createdAt: Moment,
});
export type FactoryAuthority = z.infer<typeof FactoryAuthority>;
export const FactoryAuthorityNew = z.strictObject({
  name: Name,
  /** PEM. */
  certificate: z.string().trim().min(1).max(8192),
  snPrefix: SnPrefix,
  productId: ref('product').nullable().default(null),
  deptId: ref('dept'),
  /** Serial numbers, in hexadecimal, of certificates that are refused though they stand below it. */
  revoked: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .transform((serial) => serial.replaceAll(':', ''))
        .pipe(z.string().regex(/^[0-9a-f]{1,64}$/, 'invalid.certificateSerial')),
    )
    .max(1000)
    .default([]),
  enabled: z.boolean().default(true),
  remark: Remark.default(''),
});

const pendingFilters = { sn: filter.text(32), state: filter.exact(stateOf(pendingMachine)) };
const pendingBulk = bulkOf(criteriaOf(pendingFilters));

export const regCalls = calls('device', '/device/reg', {
  page: call({
    can: 'device:reg:page',
    reads: true,
    input: pageQuery(pendingFilters, ['-lastAt', 'sn']),
    output: pageOf(PendingDevice),
  }),
  expected: call({
    can: 'device:reg:page',
    reads: true,
    input: pageQuery({ sn: filter.text(32), deptId: filter.exact(Id) }, ['-createdAt', 'sn']),
    output: pageOf(ExpectedDevice),
  }),
  accept: call({
    can: 'device:reg:accept',
    input: pendingBulk.extend({ deptId: ref('dept').optional(), productId: ref('product').optional() }),
    output: BulkOutcome,
  }),
  refuse: call({ can: 'device:reg:accept', input: pendingBulk.extend({ reason: Remark.default('') }), output: BulkOutcome }),
  codes: call({
    can: 'device:reg:page',
    reads: true,
    input: pageQuery({ status: filter.exact(EnrolCodeStatus), deptId: filter.exact(Id) }, ['-createdAt']),
    output: pageOf(EnrolCode),
  }),
  code: call({ can: 'device:reg:code', input: EnrolCodeNew, output: EnrolCodeMade, faults: ['SN_TAKEN'] }),
  codeWithdraw: call({ can: 'device:reg:code', input: z.strictObject({ id: Id }), output: EnrolCode }),
  rules: call({
    can: 'device:reg:page',
    reads: true,
    input: pageQuery({ name: filter.text(64) }, ['-createdAt', 'name']),
    output: pageOf(EnrolRule),
  }),
  ruleAdd: call({ can: 'device:reg:rule', input: EnrolRuleNew, output: EnrolRule }),
  ruleUpdate: call({ can: 'device:reg:rule', input: EnrolRuleNew.extend({ id: Id, ...revises('enrolRule') }), output: EnrolRule }),
  ruleDelete: call({ can: 'device:reg:rule', input: z.strictObject({ id: Id }) }),
  factories: call({
    can: 'device:reg:page',
    reads: true,
    input: pageQuery({ name: filter.text(64) }, ['-createdAt', 'name', 'expiresAt']),
    output: pageOf(FactoryAuthority),
  }),
  factoryAdd: call({
    can: 'device:reg:rule',
    input: FactoryAuthorityNew,
    output: FactoryAuthority,
    faults: ['CERTIFICATE_UNREADABLE', 'CERTIFICATE_NO_AUTHORITY', 'CERTIFICATE_EXPIRED', 'CERTIFICATE_WEAK'],
  }),
  factoryUpdate: call({
    can: 'device:reg:rule',
    input: FactoryAuthorityNew.extend({ id: Id, ...revises('factory') }),
    output: FactoryAuthority,
    faults: ['CERTIFICATE_UNREADABLE', 'CERTIFICATE_NO_AUTHORITY', 'CERTIFICATE_EXPIRED', 'CERTIFICATE_WEAK'],
  }),
  factoryDelete: call({ can: 'device:reg:rule', input: z.strictObject({ id: Id }) }),
});
