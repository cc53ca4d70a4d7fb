import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { crud, picker } from '../kit/resource-calls.ts';
import { address, ById, Moment, Name, Remark, ref } from '../kit/schema.ts';
import { dual, heldFaults } from '../settings/change-request-calls.ts';

/** What a package of a product has to carry: nothing in particular, a certificate below an acquirer's root, a signature beside it, or one by a key that is elsewhere. */
export const profileKinds = ['none', 'chain', 'cms', 'external'] as const;
export type ProfileKind = (typeof profileKinds)[number];

/** Of a time-stamping service (RFC 3161, section 3.4); plain HTTP is usual there, since the answer is signed. */
const TimeUrl = address(z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(512)]).default(''));

export const Pem = z.string().trim().max(40_000).default('');

/** How packages of some products are signed: each product is in one profile of an organisation at most. */
export const SigningProfile = entity(
  'signingProfile',
  {
    name: field(Name, { unique: 'SIGNING_PROFILE_TAKEN', sort: true }),
    deptId: field(ref('dept'), { fixed: true, filter: true }),
    deptName: joined(z.string(), { text: 'signingProfile.deptId' }),
    kind: field(z.enum(profileKinds).default('chain'), { fixed: true, filter: true, help: true }),
    productIds: field(z.array(ref('product')).max(100).default([]), { help: true }),
    products: joined(z.array(z.string()), { text: 'signingProfile.productIds' }),
    /** PEM: whose certificates count. */
    root: field(Pem, { help: true }),
    rootSubject: read(z.string()),
    rootSha256: read(z.string(), { code: true }),
    /** PEM: of whoever signs elsewhere, its own first. */
    certificates: field(Pem, { help: true }),
    signerSubject: read(z.string()),
    signerSha256: read(z.string(), { code: true }),
    signerEnds: read(Moment.nullable()),
    keyId: field(ref('signingKey').nullable().default(null), { help: true }),
    keyName: joined(z.string().nullable(), { text: 'signingProfile.keyId' }),
    /** Who says when a signature by it was made, and the root of whoever says so. */
    timeUrl: field(TimeUrl, { help: true }),
    timeRoot: field(Pem, { help: true }),
    timeSubject: read(z.string()),
    remark: field(Remark.default('')),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['name', 'rootSubject'] } },
);

const rootFaults = ['SIGNING_ROOT_UNREAD', 'SIGNING_ROOT_NOT_CA', 'SIGNING_ROOT_OVER'] as const;
const chainFaults = ['KEY_CHAIN_UNREAD', 'KEY_CHAIN_LONG', 'KEY_CHAIN_BROKEN', 'KEY_CERTIFICATE_OVER', 'SIGNING_CERTIFICATE_KEY'] as const;
const profileFaults = [
  ...rootFaults,
  ...chainFaults,
  'ADDRESS_NOT_PUBLIC',
  'SIGNING_PROFILE_PRODUCT',
  'KEY_NOT_BELOW',
  'KEY_NOT_ACTIVE',
  'KEY_PRODUCT',
] as const;
const can = <A extends string>(act: A) => `signing:profile:${act}` as const;
/** Each waits for a second person, as what is done with keys: it says whose signatures releases ask for. A name or a remark alone is one person's. */
const held = { ...dual, tx: 'own' } as const;

export const signingProfileCalls = calls('signing', '/api/keystore/profile', {
  ...crud(SigningProfile, { see: 'signing:job:page' }),
  add: call({ ...held, can: can('add'), input: SigningProfile.add, faults: [...heldFaults, 'SIGNING_PROFILE_TAKEN', ...profileFaults] }),
  update: call({
    ...held,
    can: can('update'),
    input: SigningProfile.change,
    faults: [...heldFaults, 'SIGNING_PROFILE_TAKEN', ...profileFaults],
  }),
  delete: call({ ...held, can: can('delete'), input: ById, faults: [...heldFaults, 'SIGNING_PROFILE_IN_USE'] }),
  list: picker(SigningProfile, ['name', 'kind', 'keyId', 'keyName', 'deptName']),
});
