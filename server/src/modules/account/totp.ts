import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** RFC 6238 as authenticator apps speak it: SHA-1, 30 s, six digits. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Clocks may be one step off. */
const DRIFT = 1;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function base32(bytes: Buffer): string {
  let bits = '';
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

export const newSecret = (): Buffer => randomBytes(20);
export const stepAt = (moment: Date): number => Math.floor(moment.getTime() / 1000 / STEP_SECONDS);

export function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step that a code belongs to, if it is near now and later than the last one used. */
export function stepOfCode(secret: Buffer, code: string, now: Date, lastStep: number): number | undefined {
  const given = Buffer.from(code.padStart(DIGITS, ' '));
  const around = Array.from({ length: 2 * DRIFT + 1 }, (_, at) => stepAt(now) - DRIFT + at);
  return around.find((step) => {
    const wanted = Buffer.from(codeOfStep(secret, step));
    return step > lastStep && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

/** What the QR code says (the key URI that authenticator apps read). */
export const keyUri = (secret: Buffer, issuer: string, account: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${new URLSearchParams({ secret: base32(secret), issuer })}`;
