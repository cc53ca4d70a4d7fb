import { z } from 'zod';
import { SignatureVerdict } from '../app/package.ts';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { ById, Id, Moment, Remark, ref } from '../kit/schema.ts';
import { signProfiles } from './limits.ts';
import { signingJobMachine } from './state-machines.ts';

/** What was asked to be signed, who agreed, and what came of it: the record stays. */
export const SigningJob = entity(
  'signingJob',
  {
    fileName: read(z.string(), { sort: true }),
    size: read(z.int()),
    state: state(signingJobMachine, { filter: true }),
    profile: field(z.enum(signProfiles).default('apk'), { fixed: true, filter: true, help: true }),
    keyId: field(ref('signingKey'), { fixed: true, filter: true }),
    keyName: joined(z.string(), { text: 'signingJob.keyId' }),
    packageName: read(z.string()),
    purpose: field(Remark.default(''), { fixed: true }),
    author: read(z.string()),
    createdAt: read(Moment, { sort: true }),
    expiresAt: read(Moment),
    decidedBy: read(z.string().nullable()),
    decidedAt: read(Moment.nullable()),
    remark: read(z.string()),
    signedAt: read(Moment.nullable()),
    sha256Before: read(z.string(), { code: true }),
    sha256After: read(z.string().nullable(), { code: true }),
    certificateSha256: read(z.string(), { code: true }),
    reason: read(z.string().nullable()),
    resultName: read(z.string().nullable()),
    keptUntil: read(Moment.nullable()),
    fileId: field(ref('file'), { fixed: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['fileName', 'packageName'] } },
);

const can = <A extends string>(act: A) => `signing:job:${act}` as const;
const policyFaults = ['KEY_NOT_ACTIVE', 'KEY_PROFILE', 'KEY_PACKAGE', 'KEY_USED_UP', 'KEY_CERTIFICATE_OVER'] as const;

export const signingJobCalls = calls('signing', '/api/keystore/job', {
  ...crud(SigningJob, { see: can('page') }),
  add: call({
    can: can('add'),
    tx: 'own',
    stepUp: true,
    input: SigningJob.add,
    output: SigningJob.row,
    faults: [...policyFaults, 'FILE_KIND_REFUSED', 'PACKAGE_UNREADABLE', 'DUAL_NOBODY', 'SIGNING_MANY', 'STORAGE_QUOTA'],
    timeout: 120,
  }),
  approve: call({
    can: can('approve'),
    tx: 'own',
    stepUp: true,
    input: ById,
    output: SigningJob.row,
    faults: ['CHANGE_OWN', 'CHANGE_AUTHOR', 'CHANGE_ONE_HAND', 'CHANGE_OUTDATED', 'CHANGE_EXPIRED', 'KEY_HOURS_NOW', ...policyFaults],
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
  withdraw: call({ can: can('add'), tx: 'own', input: ById, output: SigningJob.row, about: 'signingJob: withdraw' }),
  /** The signed file, or the signature beside it: to its requester alone, for its time. */
  download: call({
    can: can('add'),
    wire: 'binary',
    tx: 'own',
    input: ById,
    output: z.unknown(),
    faults: ['SIGNING_NO_FILE'],
  }),
});

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
      key: z.object({ id: Id, name: z.string() }).nullable(),
    }),
    faults: ['FILE_KIND_REFUSED', 'PACKAGE_UNREADABLE'],
    timeout: 120,
  }),
});
