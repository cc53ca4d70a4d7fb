import { createMD5 } from 'hash-wasm';

/** Content hashes are computed in steps of this size (specification, section 9), so that no step holds a whole file. */
const STEP = 20 * 1024 * 1024;

interface Ask {
  readonly id: number;
  readonly blob: Blob;
  readonly tell: boolean;
}

/** MD5 off the main thread: of a whole file, telling how far it is, or of one part. */
self.onmessage = async ({ data }: MessageEvent<Ask>) => {
  const { id, blob, tell } = data;
  try {
    const hash = await createMD5();
    hash.init();
    for (let at = 0; at < blob.size; at += STEP) {
      hash.update(new Uint8Array(await blob.slice(at, at + STEP).arrayBuffer()));
      if (tell) self.postMessage({ id, share: Math.min(1, (at + STEP) / blob.size) });
    }
    self.postMessage({ id, md5: hash.digest('hex') });
  } catch (error) {
    self.postMessage({ id, error: String(error) });
  }
};
