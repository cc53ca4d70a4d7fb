import { createHash } from 'node:crypto';
import type { PlaceProblem } from '@mooring/contract/engines/rollout/publish-place';
import type { BlobStore } from '../../../platform/files/blob-store.ts';
import { type Allowed, type Answered, sendOutside } from '../../../platform/outbound/door.ts';

/** Fetched whole, so that its checksum is known; of what is larger the ends are compared. */
const WHOLE = 1024 * 1024;
const END = 64 * 1024;
const PATIENCE_MS = 8000;
/** A cache may lead to the object store that the file lies in. */
const MOST_REDIRECTS = 3;
const DETAIL = 80;

export interface Found {
  readonly problem: PlaceProblem;
  readonly detail: string;
}
export interface Wanted {
  readonly sha256: string;
  readonly size: number;
}
interface Part {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

const wrong = (problem: PlaceProblem, detail = ''): Found => ({ problem, detail: detail.slice(0, DETAIL) });
const endsOf = ({ size }: Wanted): readonly (readonly [number, number])[] =>
  size <= WHOLE
    ? [[0, size - 1]]
    : [
        [0, END - 1],
        [size - END, size - 1],
      ];

async function readPart(store: BlobStore, { sha256 }: Wanted, [start, end]: readonly [number, number]): Promise<Part> {
  const parts: Buffer[] = [];
  for await (const part of await store.read(sha256, { start, end })) parts.push(part as Buffer);
  return { start, end, bytes: Buffer.concat(parts) };
}

/** What the own store has of it: the parts that others are compared with, or what is wrong. */
export async function askStore(store: BlobStore, wanted: Wanted, patienceMs: number): Promise<readonly Part[] | Found> {
  const late = Promise.withResolvers<Found>();
  const timer = setTimeout(() => late.resolve(wrong('silent')), patienceMs);
  return Promise.race([read(store, wanted), late.promise]).finally(() => clearTimeout(timer));
}

async function read(store: BlobStore, wanted: Wanted): Promise<readonly Part[] | Found> {
  try {
    const size = await store.size(wanted.sha256);
    if (size === undefined) return wrong('missing');
    if (size !== wanted.size) return wrong('size', `${size}`);
    const parts = await Promise.all(endsOf(wanted).map((ends) => readPart(store, wanted, ends)));
    const [first] = parts;
    const isWhole = parts.length === 1 && first;
    return isWhole && createHash('sha256').update(first.bytes).digest('hex') !== wanted.sha256 ? wrong('bytes') : parts;
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown, isTold = true): Found {
  const { fault, code, name } = error as { fault?: string; code?: unknown; name?: string };
  if (fault === 'ADDRESS_NOT_PUBLIC') return wrong('inside');
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return wrong('silent');
  // Nothing else of what was found there is told: names in a certificate aren't for whoever publishes.
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return wrong('silent');
  const detail = isTold ? code : '';
  return /CERT|ALTNAME|ISSUER|SIGNATURE/.test(code) ? wrong('certificate', detail) : wrong('silent', detail);
}

/** What may be reached that isn't public, and where the address that a person named may lead on to besides itself. */
export interface Reach {
  readonly allowed: Allowed;
  readonly onward: readonly string[];
}
interface Got extends Answered {
  /** Of a public address that a person named: what it said may be told. */
  readonly isTold: boolean;
}

async function get(url: string, { start, end }: Part, { allowed, onward }: Reach, until: number): Promise<Got | Found | undefined> {
  const own = new URL(url);
  let at = own;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const isOwn = at.origin === own.origin || (own.port === '' && at.origin === `https://${own.hostname}`);
    if (!isOwn && !onward.includes(at.origin)) return undefined;
    const left = until - performance.now();
    if (left < 1) throw new DOMException('no answer in time', 'TimeoutError');
    const answer: Answered | Found = await sendOutside({
      url: at.href,
      method: 'GET',
      headers: { range: `bytes=${start}-${end}`, 'accept-encoding': 'identity', 'user-agent': 'Mooring' },
      allowed: isOwn ? allowed : [...allowed, at.hostname],
      timeoutMs: Math.min(PATIENCE_MS, Math.floor(left)),
      mostBytes: end - start + 1,
      cutOff: true,
    }).catch((error: unknown) => failure(error, hop === 0 && (error as { isPublic?: boolean }).isPublic !== false));
    if ('problem' in answer) return answer;
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status >= 400 || location === undefined || !URL.canParse(location, at.href))
      return { ...answer, isTold: hop === 0 && answer.isPublic };
    at = new URL(location, at);
  }
  return undefined;
}

/** Of how many bytes this is a part. */
const totalOf = (range: string | undefined): number => Number(/\/(\d{1,15})$/.exec(range ?? '')?.[1] ?? Number.NaN);

async function askPart(url: string, part: Part, { size }: Wanted, reach: Reach, until: number): Promise<Found | undefined> {
  const answer = await get(url, part, reach, until);
  if (!answer) return wrong('answer');
  if ('problem' in answer) return answer;
  const told = (problem: PlaceProblem, detail = '') => wrong(problem, answer.isTold ? detail : '');
  const { status, headers, bytes } = answer;
  if (status === 404 || status === 410) return told('missing', `HTTP ${status}`);
  if (status === 416) return told('size', `HTTP ${status}`);
  if (status === 200 && part.bytes.length < size) return wrong('ranges');
  if (status !== 200 && status !== 206) return told('answer', `HTTP ${status}`);
  const total = status === 206 ? totalOf(headers['content-range']) : Number(headers['content-length'] ?? size);
  if (total !== size) return told('size', Number.isNaN(total) ? '' : `${total}`);
  return bytes.equals(part.bytes) ? undefined : wrong('bytes');
}

/** Whether the same can be downloaded from another address, as a terminal would, within so many milliseconds. Undefined: it can. */
export async function askDomain(
  url: string,
  wanted: Wanted,
  parts: readonly Part[],
  reach: Reach,
  patienceMs: number,
): Promise<Found | undefined> {
  const until = performance.now() + patienceMs;
  try {
    for (const part of parts) {
      const found = await askPart(url, part, wanted, reach, until);
      if (found) return found;
    }
    return undefined;
  } catch (error) {
    return failure(error);
  }
}
