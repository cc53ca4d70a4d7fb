import { X509Certificate } from 'node:crypto';
import { readPkcs7 } from '@mooring/apk/signature/pkcs7';
import { fetchBytes } from './download.ts';
import type { PackageOffer } from './offer.ts';
import type { OfferTools } from './offer-tools.ts';
import { memorySink } from './sink.ts';

const MOST_LINKS = 10;
const readRoots = (pem: string) =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((one) => new X509Certificate(one));

/** Up from the signer, by certificates that come along, to one of the roots. */
function leadsTo(roots: readonly X509Certificate[], certificates: readonly X509Certificate[]): boolean {
  let [at] = certificates;
  for (let links = 0; at && links < MOST_LINKS; links += 1) {
    const below = at;
    const isBy = (one: X509Certificate) => below.checkIssued(one) && below.verify(one.publicKey);
    if (roots.some((root) => root.raw.equals(below.raw) || isBy(root))) return true;
    at = certificates.find((one) => one !== below && isBy(one));
  }
  return false;
}

/** Why a detached signature (CMS, RFC 5652) isn't one over these bytes by a signer below one of the roots (PEM). */
export function besideFlaw(signature: Buffer, content: Buffer, roots: string): string | undefined {
  try {
    const { certificates } = readPkcs7(signature, content);
    const known = certificates.map((one) => new X509Certificate(one));
    return leadsTo(readRoots(roots), known) ? undefined : `signed by ${known[0]?.subject}, who isn’t trusted`.slice(0, 200);
  } catch (error) {
    return `the detached signature doesn’t hold: ${error instanceof Error ? error.message : error}`.slice(0, 200);
  }
}

type Fetched = { readonly bytes: Buffer } | { readonly reason: string; readonly message: string };

/** The detached signature of an offer, whole and as it was announced. */
export async function fetchBeside(offer: PackageOffer, tools: OfferTools): Promise<Fetched> {
  const { detachedSignature: file } = offer;
  if (!file) return { reason: 'signatureWrong', message: 'there is no detached signature' };
  const sink = memorySink();
  const { size, sha256 } = file;
  const from = { url: new URL(file.url, tools.server), size, sha256, sink, signal: tools.signal, ca: tools.ca };
  let got = await fetchBytes(from);
  for (let tries = 0; !got.ok && got.reason === 'broken' && tries < offer.retries.times; tries += 1) {
    await tools.wait(offer.retries.waitSeconds * 2 ** tries);
    got = await fetchBytes(from);
  }
  tools.signal.throwIfAborted();
  if (!got.ok) return { reason: got.reason === 'linkExpired' ? 'linkExpired' : 'downloadFailed', message: got.cause.slice(0, 200) };
  const isWhole = sink.received() === size && (await sink.digest()) === sha256;
  return isWhole ? { bytes: sink.bytes() } : { reason: 'hashWrong', message: 'the detached signature came damaged' };
}
