import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual, verify } from 'node:crypto';
import { sql } from 'kysely';
import type { MasterKey } from '../../platform/config/master-key.ts';
import type { Db } from '../../platform/context.ts';
import { type ChainFault, chainFaults, checkChain, readCertificates } from './factory-chain.ts';
import { signatureBytes } from './signature-bytes.ts';

/** How long a terminal may take to sign. */
const NONCE_MS = 5 * 60_000;

export interface FactoryProof {
  /** PEM: the terminal's factory certificate first, then those between it and the trusted one. */
  readonly chain: string;
  readonly nonce: string;
  /** In base64. */
  readonly signature: string;
}
export type FactoryFault = ChainFault | 'FACTORY_PROOF_WRONG' | 'NONCE_WRONG';
/** An authority that vouches for a terminal, for devices and rules of its organisation and below. */
export interface Voucher {
  readonly id: number;
  readonly name: string;
  readonly path: string;
}

const macOf = (key: MasterKey, body: string) => createHmac('sha256', key.derive('factory-nonce')).update(body).digest('base64url');

/** Nothing is kept of a nonce before it is used: it says itself whose it is and until when. */
export function makeNonce(key: MasterKey, sn: string, now: Date): { nonce: string; expiresAt: Date } {
  const expiresAt = new Date(now.getTime() + NONCE_MS);
  const body = `${expiresAt.getTime()}.${randomBytes(12).toString('base64url')}`;
  return { nonce: `${body}.${macOf(key, `${sn}.${body}`)}`, expiresAt };
}

function nonceEnd(key: MasterKey, sn: string, nonce: string, now: Date): Date | undefined {
  const match = /^((\d{1,15})\.[A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{43})$/.exec(nonce);
  if (!match) return undefined;
  const [, body = '', until = '', mac = ''] = match;
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(key, `${sn}.${body}`)))) return undefined;
  const end = new Date(Number(until));
  return end > now ? end : undefined;
}

/** Uses a nonce up, in the transaction of what it is for. */
export async function useNonce(db: Db, key: MasterKey, sn: string, nonce: string, now: Date): Promise<boolean> {
  const end = nonceEnd(key, sn, nonce, now);
  if (!end) return false;
  const used = await sql`insert into device_nonce (nonce, expires_at) values (${nonce}, ${end}) on conflict do nothing`.execute(db);
  return Number(used.numAffectedRows) === 1;
}

/** What the factory key signs: this enrolment of this SN with this request, and no other. */
export const factoryText = (sn: string, nonce: string, request: string): string =>
  `mooring:factory:${sn}:${nonce}:${createHash('sha256').update(request).digest('hex')}`;

function isSignedBy(key: KeyObject, text: string, base64: string): boolean {
  const signature = signatureBytes(base64);
  try {
    return signature !== undefined && verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', Buffer.from(text), key, signature);
  } catch {
    return false;
  }
}

export interface Proving {
  readonly sn: string;
  readonly request: string;
  readonly product: string;
  readonly proof: FactoryProof;
}

/** Who vouches for this terminal, or what is wrong with its proof. Uses the nonce up, in the transaction of the enrolment. */
export async function proveFactory(db: Db, key: MasterKey, asking: Proving, now: Date): Promise<readonly Voucher[] | FactoryFault> {
  const { sn, proof } = asking;
  if (!nonceEnd(key, sn, proof.nonce, now)) return 'NONCE_WRONG';
  const chain = readCertificates(proof.chain);
  const [leaf] = chain ?? [];
  if (!chain || !leaf) return 'FACTORY_UNREADABLE';
  const trusted = await sql<{ id: number; name: string; path: string; certificate: string; revoked: string[] }>`
    select f.id, f.name, f.dept_path as path, f.certificate, f.revoked from device_factory f left join product_product p on p.id = f.product_id
    where f.enabled and ${sn} like f.sn_prefix || '%' and (f.product_id is null or p.code = ${asking.product}) order by length(f.dept_path) desc, f.id`.execute(
    db,
  );
  const vouchers: Voucher[] = [];
  let worst = 0;
  for (const { certificate, revoked, ...voucher } of trusted.rows) {
    const [authority] = readCertificates(certificate) ?? [];
    const found = authority ? checkChain(chain, { authority, revoked }, sn, now) : 'FACTORY_UNREADABLE';
    if (found === 'ok') vouchers.push(voucher);
    else worst = Math.max(worst, chainFaults.indexOf(found));
  }
  if (vouchers.length === 0) return chainFaults[Math.max(worst, 1)] ?? 'FACTORY_UNTRUSTED';
  if (!isSignedBy(leaf.node.publicKey, factoryText(sn, proof.nonce, asking.request), proof.signature)) return 'FACTORY_PROOF_WRONG';
  return (await useNonce(db, key, sn, proof.nonce, now)) ? vouchers : 'NONCE_WRONG';
}
