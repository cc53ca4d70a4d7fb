import { createHash, X509Certificate } from 'node:crypto';
import { Readable } from 'node:stream';
import { Issuers } from '@mooring/apk/cms/issuers';
import { climb, endsAt } from '@mooring/apk/cms/leads-to';
import { readBeside } from '@mooring/apk/cms/read-cms';
import { Fault } from '@mooring/contract/kit/fault';
import { fetchBytes } from './download.ts';
import type { PackageOffer } from './offer.ts';
import type { OfferTools } from './offer-tools.ts';
import { memorySink } from './sink.ts';

const readRoots = (pem: string) =>
  (pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []).map((one) => new X509Certificate(one));

/** One that is trusted by itself, or below one that is. Its package is installed long after it was signed: when certificates end isn't asked. */
function isTrusted(own: X509Certificate, others: readonly X509Certificate[], roots: readonly X509Certificate[]): boolean {
  if (roots.some((root) => root.raw.equals(own.raw))) return true;
  const issuers = new Issuers();
  const reached = climb([own, ...others], undefined, issuers);
  return roots.some((root) => endsAt(reached, root, undefined, issuers));
}

/** Why a detached signature (CMS, RFC 5652) isn't one over these bytes by a signer below one of the roots (PEM). */
export async function besideFlaw(signature: Buffer, content: Buffer, roots: string): Promise<string | undefined> {
  try {
    const { own, others, check } = readBeside(signature);
    const wrong = await check(Readable.from([content]));
    if (wrong) return `the detached signature doesn’t hold: ${wrong}`;
    return isTrusted(own, others, readRoots(roots)) ? undefined : `signed by ${own.subject}, who isn’t trusted`.slice(0, 200);
  } catch (error) {
    const why = error instanceof Fault ? error.fault : error instanceof Error ? error.message : String(error);
    return `the detached signature doesn’t hold: ${why}`.slice(0, 200);
  }
}

type Fetched = { readonly bytes: Buffer } | { readonly reason: string; readonly message: string };

/** The detached signature of an offer. It is kept with the offer, so that a start in between needs neither the line nor the link again. */
export async function besideOf(offer: PackageOffer, tools: OfferTools): Promise<Fetched> {
  const { offers } = tools.journal;
  const kept = Buffer.from(offers.get(offer.offer)?.beside ?? '', 'base64');
  if (kept.length > 0 && createHash('sha256').update(kept).digest('hex') === offer.detachedSignature?.sha256) return { bytes: kept };
  const fetched = await fetchBeside(offer, tools);
  const entry = offers.get(offer.offer);
  if (entry?.stage === 'received' && 'bytes' in fetched) {
    entry.beside = fetched.bytes.toString('base64');
    tools.journal.save();
  }
  return fetched;
}

/** Whole and as it was announced. */
async function fetchBeside(offer: PackageOffer, tools: OfferTools): Promise<Fetched> {
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
