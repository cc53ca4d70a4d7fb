import type { X509Certificate } from 'node:crypto';

/** More than any chain needs that was issued in earnest. */
export const MOST_VERIFIED = 100;
const kept = new WeakMap<X509Certificate, string>();

function nameOf(one: X509Certificate): string {
  const name = kept.get(one) ?? one.raw.toString('base64');
  kept.set(one, name);
  return name;
}

/** Who issued whom, for one request: each pair is verified once, and no more of them than `most`, however they came along. */
export class Issuers {
  readonly #known = new Map<string, boolean>();
  readonly #most: number;
  #verified = 0;

  constructor(most = MOST_VERIFIED) {
    this.#most = most;
  }

  get verified(): number {
    return this.#verified;
  }

  /** By names first, which costs nothing. Past the limit nothing is issued. */
  issued(one: X509Certificate, by: X509Certificate): boolean {
    if (!by.ca || !one.checkIssued(by)) return false;
    return this.#verify(one, by);
  }

  /** A certificate that signs no others may be one of itself all the same. */
  isOwn = (one: X509Certificate): boolean => one.issuer === one.subject && this.#verify(one, one);

  #verify(one: X509Certificate, by: X509Certificate): boolean {
    const pair = `${nameOf(one)} ${nameOf(by)}`;
    const known = this.#known.get(pair);
    if (known !== undefined) return known;
    if (this.#verified >= this.#most) return false;
    this.#verified += 1;
    const holds = verified(one, by);
    this.#known.set(pair, holds);
    return holds;
  }
}

function verified(one: X509Certificate, by: X509Certificate): boolean {
  try {
    return one.verify(by.publicKey);
  } catch {
    // A key that can't be read has signed nothing.
    return false;
  }
}
