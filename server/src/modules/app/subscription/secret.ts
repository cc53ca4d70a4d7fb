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
  readonly older_secrets: unknown;
}
interface Earlier {
  readonly secret: string;
  readonly until: string;
}
const holdsStill = ({ until }: Earlier, now: Date) => new Date(until) > now;

/** More were replaced within a week by no one who meant it. */
const MOST_EARLIER = 5;

/** Those before today's that count still: each for as long as was promised when it was replaced. The one that counts longest comes first. */
export function earlierOf(row: Secrets, now: Date): readonly Earlier[] {
  // Ended by a server of the version before, they are all over.
  if (!row.old_secret || !row.old_secret_until) return [];
  return [{ secret: row.old_secret, until: row.old_secret_until.toISOString() }, ...(row.older_secrets as Earlier[])]
    .filter((one) => holdsStill(one, now))
    .toSorted((a, b) => b.until.localeCompare(a.until));
}

/** What a new secret leaves of the ones before; without an overlap nothing, since whoever found one may have found them all. */
export function replaced(row: Secrets, overlapHours: number, now: Date) {
  const until = new Date(now.getTime() + overlapHours * 3_600_000).toISOString();
  const own = row.secret === null ? [] : [{ secret: row.secret, until }];
  const kept = overlapHours > 0 ? [...own, ...earlierOf(row, now)].toSorted((a, b) => b.until.localeCompare(a.until)) : [];
  const [longest, ...others] = kept.slice(0, MOST_EARLIER);
  return {
    old_secret: longest?.secret ?? null,
    old_secret_until: longest ? new Date(longest.until) : null,
    older_secrets: JSON.stringify(others),
  };
}

const same = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** Today's secret, or one of before while both count. */
export function isSecret(row: Secrets, given: string, now: Date): boolean {
  const digest = digestOf(given);
  if (row.secret !== null && same(row.secret, digest)) return true;
  return earlierOf(row, now).some((one) => same(one.secret, digest));
}
