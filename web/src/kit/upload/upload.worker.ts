import { createMD5, createSHA256 } from 'hash-wasm';
import { formOf } from './form-of.ts';
import type { Hash, Order, Post, Report } from './in-worker.ts';
import type { PartsOrder, PartsReport } from './parts.worker.ts';

/** Content hashes are computed in steps of this size (specification, section 9), so that no step holds a whole file. A whole number of parts. */
const STEP = 20 * 1024 * 1024;

const stops = new Map<number, AbortController>();
const report = (said: Report) => self.postMessage(said);

let helper: Worker | undefined;

function openHelper(): Worker {
  helper ??= new Worker(new URL('./parts.worker.ts', import.meta.url), { type: 'module' });
  return helper;
}

/** The digest of the whole, made here, and those of its parts, made beside it. */
async function hash(id: number, { blob, partBytes }: Hash): Promise<Report> {
  const whole = await createMD5();
  whole.init();
  const { port1, port2 } = new MessageChannel();
  const end = Promise.withResolvers<Report>();
  let hashed = 0;
  let parts = 0;
  port1.onmessage = ({ data }: MessageEvent<PartsReport>) => {
    if (data.kind === 'unreadable') end.resolve({ id, ...data });
    else if (data.kind === 'parts') {
      report({ id, kind: 'parts', md5s: data.md5s });
      parts += data.md5s.length;
      if (parts === Math.ceil(blob.size / partBytes)) end.resolve({ id, kind: 'hashed' });
    } else {
      whole.update(new Uint8Array(data.bytes));
      hashed += data.bytes.byteLength;
      port1.postMessage(data.bytes, [data.bytes]);
      report({ id, kind: 'share', share: hashed / blob.size });
      if (hashed === blob.size) report({ id, kind: 'whole', md5: whole.digest('hex') });
    }
  };
  const broken = () => {
    helper = undefined;
    end.resolve({ id, kind: 'unreadable', error: 'the parts were not hashed' });
  };
  const order: PartsOrder = { blob, partBytes, stepBytes: STEP, port: port2 };
  const beside = openHelper();
  beside.addEventListener('error', broken);
  beside.postMessage(order, [port2]);
  try {
    return await end.promise;
  } finally {
    beside.removeEventListener('error', broken);
    port1.close();
  }
}

async function identify(id: number, blob: Blob): Promise<Report> {
  const hash = await createSHA256();
  hash.init();
  for (let at = 0; at < blob.size; at += STEP) hash.update(new Uint8Array(await blob.slice(at, at + STEP).arrayBuffer()));
  return { id, kind: 'identified', sha256: hash.digest('hex') };
}

async function post(id: number, { address, headers, req, bytes, name }: Post, signal: AbortSignal): Promise<Report> {
  try {
    const answer = await fetch(address, { method: 'POST', headers, body: formOf(req, bytes, name), signal });
    return { id, kind: 'answer', status: answer.status, headers: [...answer.headers], text: await answer.text() };
  } catch {
    // Says so where it wasn't the line but the file, which was changed or taken away.
    await bytes.slice(0, 1).arrayBuffer();
    return { id, kind: 'unanswered' };
  }
}

async function carryOut(id: number, order: Exclude<Order, { kind: 'stop' }>, signal: AbortSignal): Promise<Report> {
  try {
    if (order.kind === 'identify') return await identify(id, order.blob);
    return order.kind === 'post' ? await post(id, order, signal) : await hash(id, order);
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
// So that it is there when a file is chosen.
openHelper();
