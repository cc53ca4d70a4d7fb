import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as httpsGet } from 'node:https';
import type { Sink } from './sink.ts';

export interface Fetching {
  readonly url: URL;
  readonly size: number;
  readonly sha256: string;
  readonly sink: Sink;
  readonly signal: AbortSignal;
  readonly onBytes?: (received: number) => void;
  /** Bytes a second; none sets no limit. */
  readonly speed?: number | undefined;
  /** A broken line: ends the transfer after so many bytes of this try. */
  readonly breakAfter?: number | undefined;
  readonly ca?: string | undefined;
}
export type Fetched =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'broken' | 'linkExpired' | 'refused'; readonly retrySeconds?: number };

const plain = new HttpAgent({ keepAlive: true, maxSockets: 256 });
const secure = new HttpsAgent({ keepAlive: true, maxSockets: 256 });
const IDLE_MS = 30_000;
const REDIRECTS = 3;

const ask = (url: URL, headers: Record<string, string>, signal: AbortSignal, ca: string | undefined): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? httpsGet(url, { agent: secure, headers, signal, ...(ca ? { ca: [ca] } : {}) }, resolve)
        : httpGet(url, { agent: plain, headers, signal }, resolve);
    request.setTimeout(IDLE_MS, () => request.destroy(new Error('idle')));
    request.once('error', reject);
  });

async function follow(fetching: Fetching, headers: Record<string, string>): Promise<IncomingMessage> {
  let url = fetching.url;
  // The address of an object store names the content itself; its ETag is another one, and the condition would ask for the whole.
  const { 'if-range': _, ...beyond } = headers;
  for (let hop = 0; ; hop += 1) {
    const answer = await ask(url, hop === 0 ? headers : beyond, fetching.signal, fetching.ca);
    const location = answer.headers.location;
    if (!location || answer.statusCode === undefined || answer.statusCode < 300 || answer.statusCode > 399 || hop === REDIRECTS)
      return answer;
    answer.resume();
    url = new URL(location, url);
  }
}

/** Goes on from what the sink has. One try: the caller decides whether to try again. */
export async function fetchBytes(fetching: Fetching): Promise<Fetched> {
  const { sink, size, sha256, signal, speed } = fetching;
  const from = sink.received();
  if (from >= size) return { ok: true };
  try {
    const answer = await follow(fetching, from > 0 ? { range: `bytes=${from}-`, 'if-range': `"${sha256}"` } : {});
    const status = answer.statusCode ?? 0;
    if (status !== 200 && status !== 206) {
      answer.resume();
      if (status === 410 || status === 403) return { ok: false, reason: 'linkExpired' };
      return {
        ok: false,
        reason: status >= 500 || status === 429 ? 'broken' : 'refused',
        retrySeconds: Number(answer.headers['retry-after'] ?? 0),
      };
    }
    // The whole instead of the rest: other bytes, or a store without ranges.
    if (status === 200 && from > 0) await sink.reset();
    const began = performance.now();
    let taken = 0;
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (sink.received() + chunk.length > size) {
        answer.destroy();
        await sink.write(chunk.subarray(0, size + 1 - sink.received()));
        return { ok: true };
      }
      await sink.write(chunk);
      taken += chunk.length;
      fetching.onBytes?.(sink.received());
      if (fetching.breakAfter !== undefined && taken >= fetching.breakAfter) {
        answer.destroy();
        return { ok: false, reason: 'broken' };
      }
      if (speed) {
        const wait = (taken / speed) * 1000 - (performance.now() - began);
        if (wait > 2) await new Promise((resolve) => setTimeout(resolve, wait));
      }
      if (signal.aborted) {
        answer.destroy();
        return { ok: false, reason: 'broken' };
      }
    }
    return sink.received() >= size ? { ok: true } : { ok: false, reason: 'broken' };
  } catch {
    return { ok: false, reason: 'broken' };
  }
}
