import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MasterKey } from '../config/master-key.ts';

/** Lets one device fetch one file until a moment (design 3, "Bytes"). */
export interface FileToken {
  readonly sn: string;
  readonly sha256: string;
  readonly expiresAt: Date;
}

const macOf = (key: MasterKey, body: string) => createHmac('sha256', key.derive('device-file')).update(body).digest();

export function makeFileToken(key: MasterKey, token: FileToken): string {
  const body = Buffer.from(`${token.sn}|${token.sha256}|${Math.floor(token.expiresAt.getTime() / 1000)}`).toString('base64url');
  return `${body}.${macOf(key, body).toString('base64url')}`;
}

/** The path to put into an offer. */
export const fileUrl = (key: MasterKey, token: FileToken): string => `/d/files/${makeFileToken(key, token)}`;

/** No terminal's: the server asks with it whether others have what it has. No SN is empty. */
export const OWN = '';
export const ownFileUrl = (key: MasterKey, sha256: string, expiresAt: Date): string => fileUrl(key, { sn: OWN, sha256, expiresAt });

export function readFileToken(key: MasterKey, text: string, now: Date): FileToken | 'wrong' | 'expired' {
  const [body, mac, ...rest] = text.split('.');
  if (!body || !mac || rest.length > 0) return 'wrong';
  const given = Buffer.from(mac, 'base64url');
  const wanted = macOf(key, body);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return 'wrong';
  const [sn = '', sha256 = '', exp = ''] = Buffer.from(body, 'base64url').toString().split('|');
  const expiresAt = new Date(Number(exp) * 1000);
  return expiresAt > now ? { sn, sha256, expiresAt } : 'expired';
}
