import { callError } from '../outcome.ts';

export interface PartForm {
  readonly req: object;
  readonly bytes: Blob;
  readonly name: string;
}
export interface Post extends PartForm {
  readonly kind: 'post';
  readonly address: string;
  readonly headers: Record<string, string>;
}
export interface Hash {
  readonly kind: 'hash';
  readonly blob: Blob;
  readonly partBytes: number;
}
/** SHA-256 of a whole file. */
export interface Identify {
  readonly kind: 'identify';
  readonly blob: Blob;
}
export type Order = Hash | Identify | Post | { readonly kind: 'stop' };
export type Report = { readonly id: number } & (
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'whole'; readonly md5: string }
  /** Of the next parts, in order. */
  | { readonly kind: 'parts'; readonly md5s: readonly string[] }
  | { readonly kind: 'hashed' }
  | { readonly kind: 'identified'; readonly sha256: string }
  | { readonly kind: 'answer'; readonly status: number; readonly headers: [string, string][]; readonly text: string }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'unreadable'; readonly error: string }
);
type Hear = (said: Report) => void;

const isUnderWay: ReadonlySet<Report['kind']> = new Set(['share', 'whole', 'parts']);
let worker: Worker | undefined;
let next = 1;
const waiting = new Map<number, Hear>();

/** Opened before a file is chosen, it is there then. */
export function openWorker(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./upload.worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<Report>) => {
    const hear = waiting.get(data.id);
    if (!isUnderWay.has(data.kind)) waiting.delete(data.id);
    hear?.(data);
  };
  worker.onerror = () => {
    const all = [...waiting];
    waiting.clear();
    worker = undefined;
    for (const [id, hear] of all) hear({ id, kind: 'unanswered' });
  };
  return worker;
}

function give(order: Order, hear: Hear): number {
  const id = next++;
  waiting.set(id, hear);
  openWorker().postMessage({ id, order });
  return id;
}

export interface Digests {
  /** MD5 of the whole. */
  readonly whole: string;
  /** MD5 of each part; of the last ones a moment later. */
  readonly parts: readonly Promise<string>[];
}

/** Digests of a file, made in a worker. */
export function digestsOf(blob: Blob, partBytes: number, tell: (share: number) => void): Promise<Digests> {
  const whole = Promise.withResolvers<string>();
  const parts = Array.from({ length: Math.ceil(blob.size / partBytes) }, () => Promise.withResolvers<string>());
  // Of a file that is here already nobody asks for them.
  for (const { promise } of parts) promise.catch(() => {});
  let next = 0;
  give({ kind: 'hash', blob, partBytes }, (said) => {
    if (said.kind === 'share') tell(said.share);
    else if (said.kind === 'whole') whole.resolve(said.md5);
    else if (said.kind === 'parts') for (const md5 of said.md5s) parts[next++]?.resolve(md5);
    else if (said.kind !== 'hashed')
      for (const one of [whole, ...parts]) one.reject(new Error(said.kind === 'unreadable' ? said.error : 'not hashed'));
  });
  return whole.promise.then((md5) => ({ whole: md5, parts: parts.map(({ promise }) => promise) }));
}

/** SHA-256 of a file, made in a worker: asked only where something of the same MD5 is here already. */
export const sha256Of = (blob: Blob): Promise<string> =>
  new Promise((done, fail) => {
    give({ kind: 'identify', blob }, (said) => {
      if (said.kind === 'identified') done(said.sha256);
      // The file was changed or taken away: another try won't help.
      else fail(said.kind === 'unreadable' ? callError({ code: 400 }) : new Error('not hashed'));
    });
  });

/**
 * Sends a part from the worker, in place of `fetch`: on two full cores even the smallest of a page's tasks may wait for its turn, and
 * hundreds of parts are many thousands of them.
 */
export const postPart =
  (part: PartForm) =>
  (address: string, { headers, signal }: RequestInit): Promise<Response> =>
    new Promise((done, fail) => {
      if (signal?.aborted) return fail(signal.reason);
      const to = { address: new URL(address, location.href).href, headers: headers as Record<string, string> };
      const id = give({ kind: 'post', ...to, ...part }, (said) => {
        signal?.removeEventListener('abort', stop);
        if (said.kind === 'answer') done(new Response(said.text || null, { status: said.status, headers: said.headers }));
        // The file was changed or taken away: another try won't help.
        else if (said.kind === 'unreadable') fail(callError({ code: 400 }));
        else fail(new Error('no answer'));
      });
      const stop = () => openWorker().postMessage({ id, order: { kind: 'stop' } });
      signal?.addEventListener('abort', stop);
    });
