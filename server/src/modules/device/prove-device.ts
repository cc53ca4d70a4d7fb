import { createHash, createPublicKey, verify } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { signatureBytes } from './signature-bytes.ts';

/** How far a terminal's clock may be off when it signs. */
export const PROOF_SKEW_MS = 10 * 60_000;

export interface Proof {
  readonly sn: string;
  readonly at: string;
  readonly signature: string;
}
export interface ProvenDevice {
  readonly id: number;
  readonly sn: string;
  readonly gen: number;
}

/** What a terminal signs with the key of its certificate (ECDSA, SHA-256, DER). */
export const proofText = (what: 'token' | 'renew', proof: Pick<Proof, 'sn' | 'at'>, request = ''): string =>
  `mooring:${what}:${proof.sn}:${proof.at}:${request === '' ? '' : createHash('sha256').update(request).digest('hex')}`;

/** The device whose certificate's key signed this, if it stands. */
export async function proveDevice(db: Db, text: string, proof: Proof, now: Date): Promise<ProvenDevice | 'clock' | undefined> {
  const signedAt = Date.parse(proof.at);
  const found = await sql<{ id: number; gen: number; certificate: string }>`
    select d.id, d.credential_gen as gen, c.certificate from device d join device_credential c on c.device_id = d.id
    where d.sn = ${proof.sn} and d.deleted_at is null and d.status <> '4' and c.revoked_at is null and c.expires_at > ${now}`.execute(db);
  const signature = signatureBytes(proof.signature);
  if (!signature) return undefined;
  const held = found.rows.find((row) => {
    try {
      return verify('sha256', Buffer.from(text), createPublicKey(row.certificate), signature);
    } catch {
      return false;
    }
  });
  if (!held) return undefined;
  // Overheard, it is worth nothing: what is signed counts once, for as long as its moment is near. Not its signature: anybody can make
  // another one of it that holds as well.
  const once = await sql`insert into device_nonce (nonce, expires_at)
    values (${`proof:${createHash('sha256').update(text).digest('base64url')}`}, ${new Date(signedAt + 2 * PROOF_SKEW_MS)}) on conflict do nothing`.execute(
    db,
  );
  if (Number(once.numAffectedRows) === 0) return undefined;
  // Only who holds the key is told that the clock is wrong, with ours beside it.
  return Math.abs(now.getTime() - signedAt) > PROOF_SKEW_MS ? 'clock' : { id: held.id, sn: proof.sn, gen: held.gen };
}
