import { z } from 'zod';
import { SN } from './limits.ts';

/** What terminals and server say to each other over HTTP, before there is a connection (docs/device-protocol.md, 1). */
const Sn = z.string().regex(SN);
const Moment = z.iso.datetime({ offset: true });
const Request = z.string().max(8192).includes('BEGIN CERTIFICATE REQUEST').describe('Signing request for the terminal’s own key, PEM');

export const FactoryProof = z.object({
  chain: z.string().max(16_384).includes('BEGIN CERTIFICATE').describe('PEM, the terminal’s factory certificate first'),
  nonce: z.string().max(128).describe('From /d/nonce'),
  signature: z.string().max(1024).describe('By the factory key over mooring:factory:<sn>:<nonce>:<hex SHA-256 of the request>, base64'),
});
/** That it is the terminal itself which sends this request, now. */
export const KeyProof = z.object({
  nonce: z.string().max(128).describe('From /d/nonce'),
  signature: z
    .string()
    .max(512)
    .describe('ECDSA-SHA256 by the request’s own key over mooring:enrol:<sn>:<nonce>:<hex SHA-256 of the request>, DER, base64'),
});
export const EnrolBody = z.object({
  sn: Sn,
  request: Request,
  product: z.string().max(64),
  model: z.string().max(64).optional(),
  code: z.string().min(1).max(64).optional(),
  factory: FactoryProof.optional(),
  proof: KeyProof.optional(),
});
export const NonceBody = z.object({ sn: Sn });
export const ProofBody = z.object({
  sn: Sn,
  at: Moment,
  signature: z
    .string()
    .max(512)
    .describe('ECDSA-SHA256, DER, base64, over mooring:token:<sn>:<at>: or mooring:renew:<sn>:<at>:<hex SHA-256 of the request>'),
});
export const RenewBody = ProofBody.extend({ request: Request });

export const Nonce = z.object({ nonce: z.string(), expiresAt: Moment, time: Moment });
export const Access = z.object({
  sn: z.string(),
  token: z.string(),
  tokenExpiresAt: Moment,
  root: z.string(),
  releaseRoot: z.string(),
  mqtt: z.object({ plain: z.string().nullable(), tls: z.string().nullable() }),
  time: Moment,
});
export type Access = z.infer<typeof Access>;
export const Enrolled = Access.extend({
  state: z.literal('enrolled'),
  certificate: z.string(),
  expiresAt: Moment,
  renewAt: Moment,
  heartbeatSeconds: z.number(),
});
export type Enrolled = z.infer<typeof Enrolled>;
export const Waiting = z.object({ state: z.literal('asking'), time: Moment });
export const Refused = z.object({ error: z.string(), time: Moment });
