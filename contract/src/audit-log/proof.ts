import { z } from 'zod';
import { Id, Moment } from '../kit/schema.ts';

/**
 * What is wrong with a range of seal numbers, or of signatures: rows were changed, taken away, or put in without a seal; rows aren't those that
 * were signed; the beginning was moved; signatures are gone or not ours; rows were
 * there before any signature, and nobody has adopted them.
 */
export const badKinds = ['changed', 'missing', 'unsealed', 'head', 'begin', 'heads', 'foreign', 'unproved'] as const;
export const Bad = z.object({
  kind: z.enum(badKinds),
  from: z.int(),
  to: z.int(),
  fromId: Id.nullable(),
  toId: Id.nullable(),
});
export type Bad = z.infer<typeof Bad>;

/** From when to when the log can be trusted, and what is wrong beyond. */
export const ChainReport = z.object({
  rows: z.int(),
  from: Moment.nullable(),
  to: Moment.nullable(),
  /** Up to here without a break; null where the first row is bad already. */
  trustedTo: Moment.nullable(),
  /** Rows before are chained without a key, and held by the first signature. */
  sealedFrom: Moment.nullable(),
  lastHead: Moment.nullable(),
  heads: z.int(),
  bad: z.array(Bad),
  /** So many further places aren't listed. */
  more: z.int(),
});
export type ChainReport = z.infer<typeof ChainReport>;

/** One day's signature: `signature` is Ed25519 over the bytes of `signed`. */
export const Signature = z.object({
  number: z.int(),
  date: Moment,
  lastId: z.int(),
  sealNo: z.int(),
  count: z.int(),
  signed: z.string(),
  signature: z.string(),
});
