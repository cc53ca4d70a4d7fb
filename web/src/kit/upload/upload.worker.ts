import { createMD5 } from 'hash-wasm';
import { formOf } from './form-of.ts';
import type { Order, Post, Report } from './in-worker.ts';

/** Content hashes are computed in steps of this size (specification, section 9), so that no step holds a whole file. */
const STEP = 20 * 1024 * 1024;

const stops = new Map<number, AbortController>();
const report = (said: Report) => self.postMessage(said);

async function md5Of(blob: Blob, tell?: (share: number) => void): Promise<string> {
  const hash = await createMD5();
  hash.init();
  for (let at = 0; at < blob.size; at += STEP) {
    hash.update(new Uint8Array(await blob.slice(at, at + STEP).arrayBuffer()));
    tell?.(Math.min(1, (at + STEP) / blob.size));
  }
  return hash.digest('hex');
}

/** Sends a part with the digest of its bytes. */
async function post(id: number, { address, headers, req, bytes, name }: Post, signal: AbortSignal): Promise<Report> {
  const form = formOf({ ...req, md5: await md5Of(bytes) }, bytes, name);
  try {
    const answer = await fetch(address, { method: 'POST', headers, body: form, signal });
    return { id, kind: 'answer', status: answer.status, headers: [...answer.headers], text: await answer.text() };
  } catch {
    return { id, kind: 'unanswered' };
  }
}

async function carryOut(id: number, order: Exclude<Order, { kind: 'stop' }>, signal: AbortSignal): Promise<Report> {
  try {
    if (order.kind === 'post') return await post(id, order, signal);
    return { id, kind: 'md5', md5: await md5Of(order.blob, (share) => report({ id, kind: 'share', share })) };
  } catch (error) {
    return { id, kind: 'unreadable', error: String(error) };
  }
}

self.onmessage = async ({ data: { id, order } }: MessageEvent<{ readonly id: number; readonly order: Order }>) => {
  if (order.kind === 'stop') return stops.get(id)?.abort();
  const stop = new AbortController();
  stops.set(id, stop);
  report(await carryOut(id, order, stop.signal));
  stops.delete(id);
};
