import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MasterKey } from '../config/master-key.ts';

/** A signed, expiring stand-in for a certificate, for plain connections. Revoking raises the device's generation. */
export interface DeviceToken {
  readonly sn: string;
  readonly gen: number;
  readonly expiresAt: Date;
}

const macOf = (key: MasterKey, body: string) => createHmac('sha256', key.derive('device-token')).update(body).digest();

export function makeDeviceToken(key: MasterKey, token: DeviceToken): string {
  const body = `${token.sn}.${token.gen}.${Math.floor(token.expiresAt.getTime() / 1000)}`;
  return `${body}.${macOf(key, body).toString('base64url')}`;
}

export function readDeviceToken(key: MasterKey, text: string, now: Date): DeviceToken | undefined {
  const match = /^([A-Z0-9-]{4,32})\.(\d{1,9})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/.exec(text);
  if (!match) return undefined;
  const [, sn = '', gen = '', exp = '', mac = ''] = match;
  const given = Buffer.from(mac, 'base64url');
  const wanted = macOf(key, `${sn}.${gen}.${exp}`);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
  const expiresAt = new Date(Number(exp) * 1000);
  return expiresAt > now ? { sn, gen: Number(gen), expiresAt } : undefined;
}
