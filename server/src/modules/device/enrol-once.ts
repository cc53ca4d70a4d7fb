import { createHash, createPublicKey, verify } from 'node:crypto';
import { sql } from 'kysely';
import type { MasterKey } from '../../platform/config/master-key.ts';
import type { Db } from '../../platform/context.ts';
import { useNonce } from './factory-proof.ts';
import { signatureBytes } from './signature-bytes.ts';

export interface KeyProof {
  readonly nonce: string;
  /** In base64. */
  readonly signature: string;
}

const digestOf = (request: string) => createHash('sha256').update(request).digest();

/** What the key of the request signs: this very request, for a nonce that counts once. */
export const enrolText = (sn: string, nonce: string, request: string): string =>
  `mooring:enrol:${sn}:${nonce}:${digestOf(request).toString('hex')}`;

/** Whether who sends the request holds its key now, and didn't merely overhear it. Uses the nonce up. */
export async function provesKey(
  db: Db,
  key: MasterKey,
  of: { readonly sn: string; readonly request: string; readonly spki: Buffer; readonly proof: KeyProof },
  now: Date,
): Promise<'ok' | 'PROOF_WRONG' | 'NONCE_WRONG'> {
  const { sn, request, spki, proof } = of;
  let isSigned = false;
  try {
    const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const signature = signatureBytes(proof.signature);
    isSigned = signature !== undefined && verify('sha256', Buffer.from(enrolText(sn, proof.nonce, request)), publicKey, signature);
  } catch {
    isSigned = false;
  }
  if (!isSigned) return 'PROOF_WRONG';
  return (await useNonce(db, key, sn, proof.nonce, now)) ? 'ok' : 'NONCE_WRONG';
}

/** Notes that a request with this mark has let its terminal in; false where it had before. */
export async function firstUse(db: Db, mark: Buffer, now: Date): Promise<boolean> {
  const noted = await sql`insert into device_request (digest, at) values (${mark}, ${now}) on conflict do nothing`.execute(db);
  return Number(noted.numAffectedRows) === 1;
}
