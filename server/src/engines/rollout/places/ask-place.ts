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
export async function askStore(store: BlobStore, wanted: Wanted): Promise<readonly Part[] | Found> {
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

function failure(error: unknown): Found {
  const { fault, code, name } = error as { fault?: string; code?: unknown; name?: string };
  if (fault === 'ADDRESS_NOT_PUBLIC') return wrong('inside');
  if (name === 'TimeoutError' || code === 'ABORT_ERR') return wrong('silent');
  // Nothing else of what was found there is told: names in a certificate aren't for whoever publishes.
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return wrong('silent');
  return /CERT|ALTNAME|ISSUER|SIGNATURE/.test(code) ? wrong('certificate', code) : wrong('silent', code);
}

/** What may be reached that isn't public: by the address that a person named, and by where it leads on to. */
export interface Reach {
  readonly allowed: Allowed;
  readonly onward: Allowed;
}

async function get(url: string, { start, end }: Part, { allowed, onward }: Reach): Promise<Answered | undefined> {
  let at = new URL(url);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    if (!['http:', 'https:'].includes(at.protocol)) return undefined;
    const answer = await sendOutside({
      url: at.href,
      method: 'GET',
      headers: { range: `bytes=${start}-${end}`, 'accept-encoding': 'identity', 'user-agent': 'Mooring' },
      allowed: hop === 0 ? allowed : [...allowed, ...onward],
      timeoutMs: PATIENCE_MS,
      mostBytes: end - start + 1,
      cutOff: true,
    });
    const { location } = answer.headers;
    if (answer.status < 300 || answer.status >= 400 || location === undefined || !URL.canParse(location, at.href)) return answer;
    at = new URL(location, at);
  }
  return undefined;
}

/** Of how many bytes this is a part. */
const totalOf = (range: string | undefined): number => Number(/\/(\d{1,15})$/.exec(range ?? '')?.[1] ?? Number.NaN);

async function askPart(url: string, part: Part, { size }: Wanted, reach: Reach): Promise<Found | undefined> {
  const answer = await get(url, part, reach);
  if (!answer) return wrong('answer');
  const { status, headers, bytes } = answer;
  if (status === 404 || status === 410) return wrong('missing', `HTTP ${status}`);
  if (status === 416) return wrong('size', `HTTP ${status}`);
  if (status === 200 && part.bytes.length < size) return wrong('ranges');
  if (status !== 200 && status !== 206) return wrong('answer', `HTTP ${status}`);
  const total = status === 206 ? totalOf(headers['content-range']) : Number(headers['content-length'] ?? size);
  if (total !== size) return wrong('size', Number.isNaN(total) ? '' : `${total}`);
  return bytes.equals(part.bytes) ? undefined : wrong('bytes');
}

/** Whether the same can be downloaded from another address, as a terminal would. Undefined: it can. */
export async function askDomain(url: string, wanted: Wanted, parts: readonly Part[], reach: Reach): Promise<Found | undefined> {
  try {
    for (const part of parts) {
      const found = await askPart(url, part, wanted, reach);
      if (found) return found;
    }
    return undefined;
  } catch (error) {
    return failure(error);
  }
}
