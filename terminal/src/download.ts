import { Agent as HttpAgent, get as httpGet, type IncomingMessage } from 'node:http';
import { get as httpsGet } from 'node:https';
import type { Sink } from './sink.ts';
import { secureAgent } from './trust.ts';

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
  /** An authority that is trusted besides those of the system. */
  readonly ca?: string | undefined;
}
export type Fetched =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'broken' | 'linkExpired' | 'refused'; readonly retrySeconds?: number; readonly cause: string };

const plain = new HttpAgent({ keepAlive: true, maxSockets: 256 });
const IDLE_MS = 30_000;
const REDIRECTS = 3;

const ask = (url: URL, headers: Record<string, string>, signal: AbortSignal, ca: string | undefined): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? httpsGet(url, { agent: secureAgent(ca), headers, signal }, resolve)
        : httpGet(url, { agent: plain, headers, signal }, resolve);
    request.setTimeout(IDLE_MS, () => request.destroy(new Error(`no byte for ${IDLE_MS / 1000} s`)));
    request.once('error', reject);
  });

/** In words and with its code, for the one who looks at the result: `self-signed certificate (DEPTH_ZERO_SELF_SIGNED_CERT)`. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: string };
  return code && !error.message.includes(code) ? `${error.message} (${code})` : error.message || (code ?? error.name);
}

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
      const cause = `HTTP ${status}`;
      if (status === 410 || status === 403) return { ok: false, reason: 'linkExpired', cause };
      return {
        ok: false,
        reason: status >= 500 || status === 429 ? 'broken' : 'refused',
        retrySeconds: Number(answer.headers['retry-after'] ?? 0),
        cause,
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
        return { ok: false, reason: 'broken', cause: 'line broke off' };
      }
      if (speed) {
        const wait = (taken / speed) * 1000 - (performance.now() - began);
        if (wait > 2) await new Promise((resolve) => setTimeout(resolve, wait));
      }
      if (signal.aborted) {
        answer.destroy();
        return { ok: false, reason: 'broken', cause: 'stopped' };
      }
    }
    return sink.received() >= size ? { ok: true } : { ok: false, reason: 'broken', cause: 'answer ended early' };
  } catch (error) {
    return { ok: false, reason: 'broken', cause: causeOf(error) };
  }
}
