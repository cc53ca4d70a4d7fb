import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Names a subscription to another system; no secret. */
export const newAppKey = (): string => `ak_${randomBytes(12).toString('hex')}`;
export const newSecret = (): string => randomBytes(32).toString('base64url');
/** A secret has 256 bits of its own: a plain digest of it can't be turned back. */
export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

interface Secrets {
  readonly secret: string | null;
  readonly old_secret: string | null;
  readonly old_secret_until: Date | null;
}
const same = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Today's secret, or the one of before while both count. */
export function isSecret(row: Secrets, given: string, now: Date): boolean {
  const digest = digestOf(given);
  if (row.secret !== null && same(row.secret, digest)) return true;
  return row.old_secret !== null && row.old_secret_until !== null && row.old_secret_until > now && same(row.old_secret, digest);
}
