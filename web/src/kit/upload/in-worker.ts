import { callError } from '../outcome.ts';

/** A part as it is sent: `req` without the digest, which the worker makes. */
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
export type Order = { readonly kind: 'hash'; readonly blob: Blob } | Post | { readonly kind: 'stop' };
export type Report = { readonly id: number } & (
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'md5'; readonly md5: string }
  | { readonly kind: 'answer'; readonly status: number; readonly headers: [string, string][]; readonly text: string }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'unreadable'; readonly error: string }
);
type Hear = (said: Report) => void;

let worker: Worker | undefined;
let next = 1;
const waiting = new Map<number, Hear>();

function open(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./upload.worker.ts', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<Report>) => {
    const hear = waiting.get(data.id);
    if (data.kind !== 'share') waiting.delete(data.id);
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
  open().postMessage({ id, order });
  return id;
}

/** MD5 of a file, computed in a worker. */
export const md5Of = (blob: Blob, tell: (share: number) => void): Promise<string> =>
  new Promise((done, fail) => {
    give({ kind: 'hash', blob }, (said) => {
      if (said.kind === 'share') tell(said.share);
      else if (said.kind === 'md5') done(said.md5);
      else fail(new Error(said.kind === 'unreadable' ? said.error : 'not hashed'));
    });
  });

/**
 * Hashes a part and sends it from the worker, in place of `fetch`: on two full cores even the smallest of a page's tasks may wait for its
 * turn, and hundreds of parts are many thousands of them.
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
      const stop = () => open().postMessage({ id, order: { kind: 'stop' } });
      signal?.addEventListener('abort', stop);
    });
