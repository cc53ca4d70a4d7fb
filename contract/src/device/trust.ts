import { z } from 'zod';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { Moment, Name, Remark, ref } from '../kit/schema.ts';
import { Cidr } from '../shared/cidr.ts';

const SnPrefix = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9-]{0,32}$/, 'invalid.snPrefix')
  .default('');
const CertificateSerial = z
  .string()
  .trim()
  .toLowerCase()
  .transform((serial) => serial.replaceAll(':', ''))
  .pipe(z.string().regex(/^[0-9a-f]{1,64}$/, 'invalid.certificateSerial'));

/** Whose the terminals will be, and of which product they are. */
const belonging = {
  productId: field(ref('product').nullable().default(null), { text: 'device.product' }),
  productName: joined(z.string().nullable(), { text: 'device.product' }),
  deptId: field(ref('dept'), { text: 'device.dept' }),
  deptName: joined(z.string(), { text: 'device.dept' }),
};
const use = {
  enabled: field(z.boolean().default(true), { text: 'reg.rule.enabled' }),
  accepted: read(z.int(), { text: 'reg.rule.accepted' }),
  remark: field(Remark.default(''), { text: 'device.remark' }),
  createdAt: read(Moment, { sort: true, text: 'device.createdAt' }),
};

/** Lets in by itself who asks: by SN prefix and product, from an address range where one is given. */
export const EnrolRule = entity(
  'enrolRule',
  {
    name: field(Name, { sort: true }),
    snPrefix: field(SnPrefix, { code: true, help: true }),
    ...belonging,
    /** Of addresses that may ask, for example 10.20.0.0/16. */
    network: field(Cidr.nullable().default(null), { help: true }),
    /** Only SNs that are known here already. */
    onlyExpected: field(z.boolean().default(true)),
    /** Only terminals with a factory certificate that is trusted here. */
    onlyFactory: field(z.boolean().default(false)),
    ...use,
  },
  { rowClass: 'owned', order: '-createdAt', search: { name: ['name'] }, texts: 'reg.rule', title: 'reg.rules' },
);

/** A maker's certificate authority: a terminal with a certificate below it is the SN that the certificate names. */
export const FactoryAuthority = entity(
  'factory',
  {
    name: field(Name, { sort: true, text: 'reg.rule.name' }),
    subject: read(z.string(), { code: true }),
    fingerprint: read(z.string(), { code: true, text: 'reg.fingerprint' }),
    /** PEM. */
    certificate: field(z.string().trim().min(1).max(8192)),
    expiresAt: read(Moment, { sort: true }),
    snPrefix: field(SnPrefix, { code: true, text: 'reg.rule.snPrefix' }),
    ...belonging,
    /** Serial numbers, in hexadecimal, of certificates that are refused though they stand below it. */
    revoked: field(z.array(CertificateSerial).max(1000).default([]), { help: true }),
    ...use,
  },
  { rowClass: 'owned', order: '-createdAt', search: { name: ['name'] }, texts: 'reg.factory', title: 'reg.factories' },
);

const can = 'device:reg:rule';
const all = { see: 'device:reg:page', add: can, update: can, delete: can } as const;
const refusals = ['CERTIFICATE_UNREADABLE', 'CERTIFICATE_NO_AUTHORITY', 'CERTIFICATE_EXPIRED', 'CERTIFICATE_WEAK'];
const rule = crud(EnrolRule, all);
const factory = crud(FactoryAuthority, all, { faults: { add: refusals, update: refusals } });

/** Parts of the group of enrolment, under its names. */
export const trustCalls = {
  rules: rule.page,
  ruleAdd: rule.add,
  ruleUpdate: rule.update,
  ruleDelete: rule.delete,
  ruleExport: rule.export,
  factories: factory.page,
  factoryAdd: factory.add,
  factoryUpdate: factory.update,
  factoryDelete: factory.delete,
  factoryExport: factory.export,
};
