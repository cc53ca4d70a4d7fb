import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { Id, Moment, ref } from '../kit/schema.ts';
import { digests } from './limits.ts';

/** Bytes of a signature beside a file: certificates and a time stamp included. */
export const MOST_BESIDE = 300_000;

/** Why one doesn't hold: the file is another, or what says so isn't of the certificate's key. */
export const besideRules = ['BYTES_DIFFER', 'SIGNATURE_WRONG'] as const;
export type BesideRule = (typeof besideRules)[number];
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
const Named = z.object({ id: Id, name: z.string() }).nullable();

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
      /** Whether each of them was valid when it was signed, as far as that is known. */
      validThen: z.boolean(),
      /** As the signer says. */
      signedAt: Moment.nullable(),
      /** As a time-stamping service says, whether that holds, and whether a profile names its root. */
      stamp: z.object({ at: Moment.nullable(), by: z.string(), holds: z.boolean(), known: z.boolean() }).nullable(),
      /** The key of ours that signed it, and a profile whose root its certificates lead to, where the person sees them. */
      key: Named,
      profile: Named,
    }),
    faults: [
      'FILE_KIND_REFUSED',
      'SIGNATURE_LARGE',
      'SIGNATURE_UNREAD',
      'SIGNATURE_WITHIN',
      'SIGNATURE_SIGNERS',
      'SIGNATURE_NO_CERTIFICATE',
      'SIGNATURE_ALGORITHM',
    ],
    timeout: 120,
  }),
});
