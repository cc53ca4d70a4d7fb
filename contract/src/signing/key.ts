import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { crud, picker } from '../kit/resource-calls.ts';
import { ById, Id, Moment, Name, ref, secret, vaultSealed } from '../kit/schema.ts';
import { transition } from '../kit/state-machine.ts';
import { dual, heldFaults } from '../settings/change-request-calls.ts';
import { keyAlgorithms, keyRemains, signProfiles, storeKinds } from './limits.ts';
import { signingKeyMachine } from './state-machines.ts';

const Algorithm = z.enum(keyAlgorithms);
/** `com.acme.pay`, or all that begin with it: `com.acme.*`. */
const PackageName = z
  .string()
  .regex(/^[A-Za-z]\w*(\.[A-Za-z]\w*)*(\.\*)?$/, { message: 'invalid.keyPackage' })
  .max(223);
/** RFC 4514, as people write it: `CN=Acme Pay, O=Acme, C=DE`; or as openssl takes it: `/C=DE/O=Acme/CN=Acme Pay`. */
export const Subject = z
  .string()
  .trim()
  .min(4)
  .max(400)
  .regex(/^\/?[A-Za-z]+\s*=/, { message: 'invalid.subject' });

/** What a key may be used for: empty, or none, is everything. What a change of it leaves out stays as it was. */
const policy = {
  packageNames: z.array(PackageName).max(50),
  profiles: z.array(z.enum(signProfiles)),
  /** By a profile all of whose products are among these. Those that the key has already may be unseen, or deleted: no references. */
  productIds: z.array(Id).max(100),
  mostUses: z.int().min(1).max(1_000_000).nullable(),
  /** Approvals are given within these hours of the day (UTC): from the first up to the second, over midnight too. */
  hourFrom: z.int().min(0).max(23).nullable(),
  hourTo: z.int().min(0).max(23).nullable(),
};
/** A new key has it from its first day: what isn't said is everything. */
const firstPolicy = {
  packageNames: policy.packageNames.default([]),
  profiles: policy.profiles.default([]),
  productIds: policy.productIds.default([]),
  mostUses: policy.mostUses.default(null),
  hourFrom: policy.hourFrom.default(null),
  hourTo: policy.hourTo.default(null),
};
const policyChange = z
  .strictObject({ id: Id, ...policy })
  .partial()
  .required({ id: true });

const Other = z.object({ id: Id, name: z.string() }).nullable();

export const SigningKey = entity(
  'signingKey',
  {
    name: field(Name, { fixed: true, sort: true }),
    storeId: field(ref('keyStore'), { fixed: true, filter: true }),
    storeName: joined(z.string(), { text: 'signingKey.storeId' }),
    storeKind: joined(z.enum(storeKinds), { text: 'keyStore.kind' }),
    deptName: joined(z.string(), { text: 'keyStore.deptId' }),
    algorithm: field(Algorithm, { fixed: true, filter: true }),
    state: state(signingKeyMachine, { filter: true }),
    exportable: field(z.boolean().default(false), { fixed: true, help: true }),
    origin: read(z.enum(['generated', 'imported'])),
    fingerprint: read(z.string(), { code: true }),
    subject: read(z.string()),
    issuer: read(z.string()),
    serial: read(z.string(), { code: true }),
    /** SHA-256 of the certificate, as Android and acquirers name it. */
    certificateSha256: read(z.string(), { code: true }),
    notBefore: read(Moment),
    notAfter: read(Moment, { sort: true }),
    /** PEM, the key's own first. */
    chain: read(z.array(z.string())),
    packageNames: field(policy.packageNames),
    profiles: field(policy.profiles),
    productIds: field(policy.productIds, { help: true }),
    /** Those that the person sees: others may be among them, and ones that were deleted. */
    products: joined(z.array(z.object({ id: Id, name: z.string(), code: z.string() })), { text: 'signingKey.productIds' }),
    mostUses: field(policy.mostUses),
    hourFrom: field(policy.hourFrom),
    hourTo: field(policy.hourTo),
    uses: read(z.int()),
    /** It has signed Android packages: with another certificate these can't be updated. */
    signedApps: joined(z.boolean()),
    /** Android's proven rotation: which key it comes after, and which one it named. */
    follows: joined(Other),
    followedBy: joined(Other),
    /** Of a destroyed key, on the token that made it. */
    remains: read(z.enum(keyRemains).nullable()),
    /** Who used the brake, and when: while it is suspended, as long as changes are kept, and for whom that person is no stranger. */
    suspendedBy: joined(z.string().nullable()),
    suspendedAt: joined(Moment.nullable()),
    /** The half of an export that is this person's to take, while it stands. */
    exportHalf: joined(z.enum(['file', 'password']).nullable()),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['name', 'subject', 'fingerprint'] } },
);

const see = 'signing:key:page';
const add = 'signing:key:add';
const update = 'signing:key:update';
/** Each of them waits for a second person, whether the installation asks for dual control or not. */
const held = { ...dual, tx: 'own' } as const;
const away = ['KEY_VAULT_AWAY'] as const;
/** Of what is asked of a key that may be in a token. */
const ofToken = ['KEY_TOKEN_AWAY', 'KEY_TOKEN_REFUSED', 'KEY_TOKEN_MISSING', 'SIGNATURE_MISMATCH'] as const;
const taken = ['KEY_NAME_TAKEN', 'KEY_STORE_FULL'] as const;

/** Bytes of a file with a key or a few, and their certificates. */
export const MOST_KEY_FILE = 500_000;
/** PKCS#12, JKS or PEM as base64: there may be an open key in it. */
const KeyFile = vaultSealed('keyFile', 4 * Math.ceil(MOST_KEY_FILE / 3));
const Password = vaultSealed('keyPassword', 480);
/** A JKS may keep its keys under another password than itself. */
const passwords = { password: Password.optional(), keyPassword: Password.optional() };
const fileFaults = [
  'KEY_FILE_SEAL',
  'KEY_FILE_UNREAD',
  'KEY_FILE_PASSWORD',
  'KEY_ENTRY_PASSWORD',
  'KEY_FILE_ROUNDS',
  'KEY_FILE_CIPHER',
  'KEY_FILE_MANY',
  'KEY_FILE_EMPTY',
  'KEY_ALGORITHM',
  ...away,
] as const;

export const signingKeyCalls = calls('signing', '/api/keystore/key', {
  ...crud(SigningKey, { see }),
  list: picker(SigningKey, ['name', 'algorithm', 'state', 'profiles', 'storeName', 'follows', 'deptName', 'notAfter']),
  /** Makes a key with a certificate that it signs itself. */
  generate: call({
    ...held,
    can: add,
    input: z.strictObject({
      storeId: ref('keyStore'),
      name: Name,
      algorithm: Algorithm,
      subject: Subject,
      years: z.int().min(1).max(50).default(30),
      exportable: z.boolean().default(false),
      ...firstPolicy,
    }),
    faults: [...heldFaults, ...away, ...ofToken, ...taken, 'KEY_SUBJECT', 'KEY_TOKEN_FIXED', 'KEY_HOURS'],
    timeout: 60,
  }),
  import: call({
    ...held,
    can: add,
    input: z.strictObject({
      storeId: ref('keyStore'),
      name: Name,
      file: KeyFile,
      ...passwords,
      alias: z.string().min(1).max(200).optional(),
      /** Of a key that comes without a certificate: it signs one itself. */
      subject: Subject.optional(),
      exportable: z.boolean().default(false),
      ...firstPolicy,
    }),
    faults: [
      ...[...heldFaults, ...fileFaults, ...taken, 'KEY_SUBJECT', 'KEY_ALIAS', 'KEY_NO_CERTIFICATE'],
      ...['KEY_KNOWN', 'KEY_STORE_TOKEN', 'KEY_HOURS'],
    ] as const,
    timeout: 60,
  }),
  /** What `generate` and `import` wait for. */
  activate: call({ ...held, can: add, input: ById, faults: heldFaults, about: 'signingKey: activate' }),
  policy: call({
    ...held,
    can: update,
    input: policyChange,
    faults: [...heldFaults, 'KEY_HOURS', 'KEY_ENDED', 'KEY_NEXT_WIDER'],
  }),
  /** Certificates for the key's own half, from its own up to a root; one order or another. */
  chain: call({
    ...held,
    can: update,
    input: z.strictObject({ id: Id, certificates: z.string().min(1).max(100_000) }),
    faults: [
      ...heldFaults,
      'KEY_CHAIN_UNREAD',
      'KEY_CHAIN_OTHER_KEY',
      'KEY_CHAIN_BROKEN',
      'KEY_CHAIN_LONG',
      'KEY_ENDED',
      'KEY_IN_ROTATION',
    ],
  }),
  /** Names the key that comes after it: the proof is made where its private half is. Androids from 9 on take that one's packages as updates. */
  next: call({
    ...held,
    can: update,
    input: z.strictObject({ id: Id, nextId: ref('signingKey') }),
    faults: [
      ...heldFaults,
      ...ofToken,
      ...away,
      'KEY_NOT_ACTIVE',
      'KEY_PROFILE',
      'KEY_CERTIFICATE_OVER',
      'KEY_NEXT_OTHER',
      'KEY_NEXT_SAME',
      'KEY_NEXT_WIDER',
      'KEY_NEXT_THERE',
      'KEY_NEXT_TAKEN',
      'KEY_NEXT_LONG',
    ],
  }),
  /** The key that it named is no longer its next one. */
  dropNext: call({ ...held, can: update, input: ById, faults: [...heldFaults, 'KEY_NEXT_HANDED_ON'] }),
  /** Stopping asks for nobody else: it is the brake. */
  suspend: transition(signingKeyMachine, 'suspend', update, SigningKey.row, { stepUp: true }),
  resume: call({ ...held, can: update, input: ById, faults: heldFaults, about: 'signingKey: resume' }),
  retire: call({ ...held, can: update, input: ById, faults: heldFaults, about: 'signingKey: retire' }),
  destroy: call({ ...held, can: update, input: ById, faults: [...heldFaults, ...ofToken], about: 'signingKey: destroy' }),
  /** What is left of a destroyed key on a token that is gone, or doesn't give it up: it isn't looked for any more. */
  writeOff: call({ ...held, can: update, input: ById, faults: heldFaults, about: 'signingKey: write off' }),
  /** Out of the vault as PKCS #12: the file for who asks, its password for who approves, each for a day. */
  exportKey: call({
    ...held,
    can: update,
    input: ById,
    faults: [...heldFaults, ...away, 'KEY_NOT_EXPORTABLE'],
    about: 'signingKey: export',
  }),
  exportFile: call({
    can: update,
    tx: 'own',
    stepUp: true,
    wire: 'binary',
    input: ById,
    output: z.unknown(),
    faults: ['KEY_NO_EXPORT', 'CHANGE_ONE_HAND'],
  }),
  exportPassword: call({
    can: 'signing:key:approve',
    tx: 'own',
    stepUp: true,
    input: ById,
    output: z.object({ password: secret(z.string()) }),
    faults: ['KEY_NO_EXPORT', 'CHANGE_ONE_HAND', ...away],
  }),
  /** PKCS#10, signed with the key. */
  request: call({
    can: update,
    tx: 'own',
    stepUp: true,
    input: z.strictObject({ id: Id, subject: Subject }),
    output: z.object({ pem: z.string() }),
    faults: ['KEY_SUBJECT', 'KEY_NOT_ACTIVE', ...away, ...ofToken],
  }),
});

/** What is in a key file, before any of it is taken. Answers raw: a wrong password stands at its field (specification, section 8). */
export const keyInfoCalls = calls('signing', '/api/keystore', {
  info: call({
    can: add,
    tx: 'own',
    stepUp: true,
    input: z.strictObject({ file: KeyFile, ...passwords }),
    output: z.array(
      z.object({
        alias: z.string(),
        algorithm: z.string(),
        subject: z.string().nullable(),
        notAfter: Moment.nullable(),
        certificates: z.int(),
        usable: z.boolean(),
      }),
    ),
    faults: fileFaults,
    timeout: 60,
  }),
});
