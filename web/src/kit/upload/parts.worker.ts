import { createMD5 } from 'hash-wasm';
import { oneByOne } from './limit.ts';

/** Reads a file for whoever hashes the whole, and hashes its parts: two cores, one reading. */
export interface PartsOrder {
  readonly blob: Blob;
  readonly partBytes: number;
  readonly stepBytes: number;
  /** Brings `PartsReport`s, and takes each step's bytes back when they are hashed. */
  readonly port: MessagePort;
}
export type PartsReport =
  | { readonly kind: 'step'; readonly bytes: ArrayBuffer }
  | { readonly kind: 'parts'; readonly md5s: readonly string[] }
  | { readonly kind: 'unreadable'; readonly error: string };

/** Steps in memory at most: of one file, the next one waits. */
const STEPS = 6;
/** Steps that the whole's digest has before it: it never waits for a reading while parts are hashed. */
const AHEAD = 3;

async function work(
  { blob, partBytes, stepBytes, port }: PartsOrder,
  tell: (said: PartsReport, give?: ArrayBuffer) => void,
): Promise<void> {
  const hash = await createMD5();
  const digestsOf = (bytes: ArrayBuffer) =>
    Array.from({ length: Math.ceil(bytes.byteLength / partBytes) }, (_, part) => {
      const length = Math.min(partBytes, bytes.byteLength - part * partBytes);
      return hash
        .init()
        .update(new Uint8Array(bytes, part * partBytes, length))
        .digest('hex');
    });
  const back: ArrayBuffer[] = [];
  let isBack = Promise.withResolvers<void>();
  port.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
    back.push(data);
    isBack.resolve();
  };
  let held = 0;
  for (let at = 0; at < blob.size || held > 0; ) {
    const next = back[0];
    if (at < blob.size && held < STEPS && held - back.length < AHEAD) {
      const bytes = await blob.slice(at, at + stepBytes).arrayBuffer();
      at += stepBytes;
      held += 1;
      tell({ kind: 'step', bytes }, bytes);
    } else if (next) {
      back.shift();
      held -= 1;
      tell({ kind: 'parts', md5s: digestsOf(next) });
    } else {
      isBack = Promise.withResolvers();
      await isBack.promise;
    }
  }
}

const inTurn = oneByOne();
self.onmessage = ({ data }: MessageEvent<PartsOrder>) => {
  const tell = (said: PartsReport, give?: ArrayBuffer) => data.port.postMessage(said, give ? [give] : []);
  inTurn(() => work(data, tell)).catch((error: unknown) => tell({ kind: 'unreadable', error: String(error) }));
};
