import { createDecipheriv, createECDH, type ECDH, hkdfSync } from 'node:crypto';
import { Fault } from '@mooring/contract/kit/fault';
import type { KeyFile, SealedKeyFile } from './protocol.ts';

const CURVE = 'prime256v1';
const [POINT, TAG] = [65, 16];
/** The order of P-256 (FIPS 186-5, appendix; SP 800-186, section 3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * What browsers seal key files with, the same in each process of an installation: derived from the vault's key (FIPS 186-5, A.2.1: more bits than the
 * order has, taken modulo it).
 */
export function sealKeyOf(vaultKey: Buffer): ECDH {
  const bytes = Buffer.from(hkdfSync('sha256', vaultKey, '', 'key file seal', 48));
  const secret = (BigInt(`0x${bytes.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const key = createECDH(CURVE);
  key.setPrivateKey(Buffer.from(secret.toString(16).padStart(64, '0'), 'hex'));
  return key;
}

function open(key: ECDH, purpose: string, field: string, sealed: string): string {
  try {
    const bytes = Buffer.from(sealed, 'base64');
    const point = bytes.subarray(0, POINT);
    const shared = key.computeSecret(point);
    const opening = Buffer.from(hkdfSync('sha256', shared, point, purpose, 32));
    // Each key seals once.
    const decipher = createDecipheriv('aes-256-gcm', opening, Buffer.alloc(12)).setAuthTag(bytes.subarray(-TAG));
    return Buffer.concat([decipher.update(bytes.subarray(POINT, -TAG)), decipher.final()]).toString('utf8');
  } catch {
    throw new Fault('KEY_FILE_SEAL', { fields: { [field]: 'fault.KEY_FILE_SEAL' } });
  }
}

/** What a browser sealed, in the clear: in the vault alone. Fault: KEY_FILE_SEAL, at the field that isn't sealed for it. */
export function unsealed(key: ECDH, { file, password, keyPassword }: SealedKeyFile): KeyFile {
  const word = (field: string, sealed: string | undefined) => (sealed === undefined ? undefined : open(key, 'keyPassword', field, sealed));
  return {
    file: Buffer.from(open(key, 'keyFile', 'file', file), 'base64'),
    password: word('password', password),
    keyPassword: word('keyPassword', keyPassword),
  };
}
