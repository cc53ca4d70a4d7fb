import { createHmac, createPrivateKey, createPublicKey, hash, sign, timingSafeEqual, verify } from 'node:crypto';
import type { MasterKey } from '../config/master-key.ts';

/** A link of the chain: its place and its hash. */
export interface Link {
  readonly sealNo: number;
  readonly hash: Buffer;
}

/** What seals and signs the log. Made from the key of the installation's data, so it is never in the database (ADR 26). */
export interface SealKeys {
  /** The seal of one row: of its place, its hash and what it says. */
  row(link: Link, line: string): Buffer;
  /** The seal of the last link that went with its age. */
  anchor(link: Link): Buffer;
  sign(text: string): Buffer;
  isSigned(text: string, signature: Buffer): boolean;
  /** PEM: what an outsider needs to check signatures. */
  readonly publicKey: string;
  readonly keyId: string;
}

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export const isSame = (one: Buffer | null | undefined, other: Buffer): boolean =>
  one?.length === other.length && timingSafeEqual(one, other);

export function sealKeys(masterKey: MasterKey): SealKeys {
  const sealing = masterKey.derive('audit-seal');
  const signing = createPrivateKey({ key: Buffer.concat([PKCS8, masterKey.derive('audit-head')]), format: 'der', type: 'pkcs8' });
  const open = createPublicKey(signing);
  const place = ({ sealNo }: Link) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64BE(BigInt(sealNo));
    return bytes;
  };
  const seal = (what: string, link: Link) => createHmac('sha256', sealing).update(`${what}\0`).update(place(link)).update(link.hash);
  return {
    row: (link, line) => seal('row', link).update(line).digest(),
    anchor: (link) => seal('anchor', link).digest(),
    sign: (text) => sign(null, Buffer.from(text), signing),
    isSigned: (text, signature) => verify(null, Buffer.from(text), open, signature),
    publicKey: open.export({ type: 'spki', format: 'pem' }).toString(),
    keyId: hash('sha256', open.export({ type: 'spki', format: 'der' }), 'hex').slice(0, 16),
  };
}
