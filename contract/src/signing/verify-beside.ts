import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { Id, Moment, ref } from '../kit/schema.ts';
import { KnownKey } from './job.ts';
import { digests, MOST_BESIDE } from './limits.ts';

/** Why one doesn't hold: the file is another, or what says so isn't of the certificate's key. */
export const besideRules = ['BYTES_DIFFER', 'SIGNATURE_WRONG'] as const;
export type BesideRule = (typeof besideRules)[number];
/** What is odd about when the signer says that it was: later than now, or than a time stamp over it. */
export const clockDoubts = ['future', 'afterStamp'] as const;
/** Where the certificates end: at a root among them, at the signer itself, or before one that isn't there. */
export const chainEnds = ['root', 'self', 'open'] as const;

const Certificate = z.object({
  subject: z.string(),
  issuer: z.string(),
  serial: z.string(),
  algorithm: z.string(),
  sha256: z.string(),
  notBefore: Moment,
  notAfter: Moment,
});
const Voucher = z.object({ id: Id, name: z.string(), deptName: z.string() });

/** Who signed a file beside it (CMS, RFC 5652), and whether it is these bytes. Nothing of it is kept. */
export const besideCalls = calls('signing', '/api/keystore', {
  verifyBeside: call({
    can: 'signing:job:page',
    reads: true,
    tx: 'own',
    /** The signature in base64. */
    input: z.strictObject({
      fileId: ref('file'),
      signature: z
        .base64()
        .min(1)
        .max(2 * MOST_BESIDE),
    }),
    output: z.object({
      fileName: z.string(),
      size: z.number(),
      sha256: z.string(),
      wrong: z.enum(besideRules).nullable(),
      digest: z.enum(digests),
      /** From the signer's own up, as far as they came along. */
      chain: z.array(Certificate),
      chainEnds: z.enum(chainEnds),
      /** When they are judged: as a known service stamped it, or else now. */
      judgedAt: Moment,
      valid: z.boolean(),
      /** Whether they were valid when the signer says that it was, which is worth as much as the signer. */
      validByClock: z.boolean(),
      /** As the signer says. */
      signedAt: Moment.nullable(),
      clock: z.enum(clockDoubts).nullable(),
      /** As a time-stamping service says, whether that holds, and whether a profile names its root: the one that vouches for the signer, if there is one. */
      stamp: z.object({ at: Moment.nullable(), by: z.string(), holds: z.boolean(), known: z.boolean() }).nullable(),
      /** The key of ours that signed it, and a profile whose root its certificates lead to or that names its signer, where the person sees them. */
      key: KnownKey.nullable(),
      profile: Voucher.nullable(),
    }),
    faults: [
      'FILE_KIND_REFUSED',
      'SIGNATURE_LARGE',
      'SIGNATURE_UNREAD',
      'SIGNATURE_WITHIN',
      'SIGNATURE_SIGNERS',
      'SIGNATURE_NO_CERTIFICATE',
      'SIGNATURE_USAGE',
      'SIGNATURE_ALGORITHM',
    ],
    timeout: 120,
  }),
});
