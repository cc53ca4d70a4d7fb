import { z } from 'zod';
import { SignatureVerdict } from '../app/package.ts';
import { quotaFaults, UploadedFile } from '../file/calls.ts';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { ById, Id, Moment, Remark, ref } from '../kit/schema.ts';
import { digests, jobLimits, keyAlgorithms, signProfiles } from './limits.ts';
import { profileKinds } from './profile.ts';
import { signingJobMachine } from './state-machines.ts';

/** The token of its key, or the time-stamping service of its profile. */
export const waitsFor = ['token', 'time'] as const;

const outdatedBy = ['profile', 'certificate', 'rotation'] as const;

/** What was asked to be signed, who agreed, and what came of it: the record stays. */
export const SigningJob = entity(
  'signingJob',
  {
    fileName: read(z.string(), { sort: true }),
    size: read(z.int()),
    state: state(signingJobMachine, { filter: true }),
    profileId: field(ref('signingProfile').nullable().default(null), { fixed: true, filter: true, help: true }),
    /** As they were when it was asked for. */
    profileName: read(z.string(), { text: 'signingJob.profileId' }),
    profileKind: read(z.enum(profileKinds).nullable(), { names: 'signingProfile.kind.' }),
    rootSha256: read(z.string(), { code: true }),
    /** Those that the person sees, and how many there are besides: others’, and ones that were deleted. */
    products: joined(z.array(z.string())),
    productsUnseen: joined(z.int()),
    profile: field(z.enum(signProfiles).default('apk'), { fixed: true, filter: true, help: true }),
    /** The profile's own, where it names one. */
    keyId: field(ref('signingKey').nullable().default(null), { fixed: true, filter: true }),
    keyName: joined(z.string().nullable(), { text: 'signingJob.keyId' }),
    /** Whether an Android package carries the proof of the keys before its own. */
    rotation: field(z.boolean().default(true), { fixed: true, help: true }),
    /** The first key of that line, which signs for older Androids. */
    oldestKeyName: joined(z.string().nullable()),
    packageName: read(z.string()),
    /** What an Android package says of itself; null and '' of anything else, and of what was asked for before these were kept. */
    versionName: read(z.string()),
    versionCode: read(z.number().nullable()),
    debuggable: read(z.boolean()),
    testOnly: read(z.boolean()),
    sharedUser: read(z.string()),
    purpose: field(Remark.default(''), { fixed: true }),
    author: read(z.string()),
    createdAt: read(Moment, { sort: true }),
    expiresAt: read(Moment),
    decidedBy: read(z.string().nullable()),
    decidedAt: read(Moment.nullable()),
    remark: read(z.string()),
    deliveredBy: read(z.string().nullable()),
    deliveredAt: read(Moment.nullable()),
    signedAt: read(Moment.nullable()),
    sha256Before: read(z.string(), { code: true }),
    sha256After: read(z.string().nullable(), { code: true }),
    certificateSha256: read(z.string(), { code: true }),
    /** It was over when this was signed, or is now: Android doesn’t look at that. */
    certificateOver: joined(z.boolean()),
    reason: read(z.string().nullable()),
    /** What it needs is away since then; it goes on by itself. */
    waitsSince: read(Moment.nullable()),
    waitsFor: read(z.enum(waitsFor).nullable()),
    /** What became another since it was asked for, of one that isn't over: it isn't signed like that. */
    outdated: joined(z.enum(outdatedBy).nullable()),
    /** As a time-stamping service says (RFC 3161): when the signature was there, and who says so. */
    stampedAt: read(Moment.nullable()),
    stampedBy: read(z.string()),
    resultName: read(z.string().nullable()),
    keptUntil: read(Moment.nullable()),
    fileId: field(ref('file'), { fixed: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['fileName', 'packageName'] } },
);

const can = <A extends string>(act: A) => `signing:job:${act}` as const;
const policyFaults = [
  'KEY_NOT_ACTIVE',
  'KEY_PROFILE',
  'KEY_PRODUCT',
  'KEY_PACKAGE',
  'KEY_USED_UP',
  'KEY_CERTIFICATE_OVER',
  'KEY_NOT_BELOW',
  'KEY_EARLIER',
] as const;
const outdated = ['SIGNING_PROFILE_CHANGED', 'KEY_CERTIFICATE_CHANGED', 'KEY_ROTATION_CHANGED'] as const;

export const signingJobCalls = calls('signing', '/api/keystore/job', {
  ...crud(SigningJob, { see: can('page') }),
  add: call({
    can: can('add'),
    tx: 'own',
    stepUp: true,
    input: SigningJob.add,
    output: SigningJob.row,
    faults: [
      ...policyFaults,
      'FILE_KIND_REFUSED',
      'PACKAGE_UNREADABLE',
      'DUAL_NOBODY',
      'SIGNING_MANY',
      'STORAGE_QUOTA',
      'SIGNING_PROFILE_KEY',
    ],
    timeout: 120,
  }),
  approve: call({
    can: can('approve'),
    tx: 'own',
    stepUp: true,
    input: ById,
    output: SigningJob.row,
    faults: ['CHANGE_OWN', 'CHANGE_AUTHOR', 'CHANGE_ONE_HAND', ...outdated, 'CHANGE_EXPIRED', 'KEY_HOURS_NOW', ...policyFaults],
    about: 'signingJob: approve',
  }),
  refuse: call({
    can: can('approve'),
    tx: 'own',
    stepUp: true,
    input: z.strictObject({ id: Id, remark: Remark.min(1) }),
    output: SigningJob.row,
    faults: ['CHANGE_OWN'],
    about: 'signingJob: refuse',
  }),
  /** What is to be signed by the key of an external profile, and with which certificate. */
  digests: call({
    can: can('page'),
    reads: true,
    input: ById,
    output: z.object({
      algorithm: z.enum(keyAlgorithms),
      subject: z.string(),
      digests: z.array(z.object({ digest: z.enum(digests), value: z.string() })),
    }),
    faults: ['SIGNING_NOT_OUTSIDE', 'SIGNING_PROFILE_CHANGED'],
  }),
  /** The signatures of those digests, one in a line (Base64), in their order: RSA by PKCS #1 v1.5, EC in DER. */
  deliver: call({
    can: can('add'),
    tx: 'own',
    input: z.strictObject({ id: Id, signatures: z.string().trim().min(1).max(jobLimits.delivered) }),
    output: SigningJob.row,
    faults: ['SIGNING_NOT_OUTSIDE', 'SIGNING_PROFILE_CHANGED', 'SIGNING_DELIVERED_COUNT', 'SIGNING_DELIVERED_WRONG'],
    about: 'signingJob: deliver',
  }),
  withdraw: call({ can: can('add'), tx: 'own', input: ById, output: SigningJob.row, about: 'signingJob: withdraw' }),
  /** The bytes that are to be signed, to who may approve that: while it is to be decided. */
  source: call({
    can: can('approve'),
    wire: 'binary',
    tx: 'own',
    input: ById,
    output: z.unknown(),
    faults: ['CHANGE_OWN', 'SIGNING_NO_FILE'],
  }),
  /** The signed file, or the signature beside it: to its requester alone, for its time. */
  download: call({
    can: can('add'),
    wire: 'binary',
    tx: 'own',
    input: ById,
    output: z.unknown(),
    faults: ['SIGNING_NO_FILE'],
  }),
  /** The signed package as an upload of its requester, to bring it as a version of its app. */
  reuse: call({ can: can('add'), tx: 'own', input: ById, output: UploadedFile, faults: ['SIGNING_NO_FILE', ...quotaFaults] }),
  /** The time-stamp token of a signed package, to its requester: it stands beside the file (RFC 3161, section 2.4.2). */
  stamp: call({ can: can('add'), reads: true, wire: 'binary', tx: 'own', input: ById, output: z.unknown(), faults: ['SIGNING_NO_STAMP'] }),
});

/** Of keys that a signature is said to be by: one that waits for a second person is nobody's yet. */
export const knownStates = ['active', 'suspended', 'retired', 'destroyed'] as const;
export const KnownKey = z.object({ id: Id, name: z.string(), state: z.enum(knownStates) });

/** What a package or JAR says of its signature; nothing of it is kept. */
export const verifyCalls = calls('signing', '/api/keystore', {
  verify: call({
    can: can('page'),
    reads: true,
    tx: 'own',
    input: z.strictObject({ fileId: ref('file') }),
    output: z.object({
      fileName: z.string(),
      size: z.number(),
      sha256: z.string(),
      info: z
        .object({
          packageName: z.string(),
          versionName: z.string(),
          versionCode: z.number(),
          minSdk: z.int(),
          debuggable: z.boolean(),
        })
        .nullable(),
      signature: SignatureVerdict,
      /** The key of ours that signed it, where it is one that the person sees. */
      key: KnownKey.nullable(),
    }),
    faults: ['FILE_KIND_REFUSED', 'PACKAGE_UNREADABLE'],
    timeout: 120,
  }),
});
