import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Where a download goes. It keeps what it has across broken connections and restarts. */
export interface Sink {
  received(): number;
  write(chunk: Buffer): Promise<void>;
  /** Forgets everything: the bytes were wrong. */
  reset(): Promise<void>;
  digest(): Promise<string>;
  close(): Promise<void>;
}

/** Hashes what comes and keeps nothing: a fleet of thousands has no disk for thousands of copies. */
export function hashSink(spoil?: () => boolean): Sink {
  let hash: Hash = createHash('sha256');
  let received = 0;
  return {
    received: () => received,
    async write(chunk) {
      // One wrong bit is enough.
      if (spoil?.() && chunk.length > 0) {
        const wrong = Buffer.from(chunk);
        wrong[0] = (wrong[0] ?? 0) ^ 1;
        hash.update(wrong);
      } else hash.update(chunk);
      received += chunk.length;
    },
    async reset() {
      hash = createHash('sha256');
      received = 0;
    },
    digest: async () => hash.copy().digest('hex'),
    close: async () => {},
  };
}

/** Keeps what comes in memory, for the short time until it is applied; of long things the first bytes, where `most` says how many. */
export function memorySink(spoil?: () => boolean, most = Number.POSITIVE_INFINITY): Sink & { bytes(): Buffer } {
  const sink = hashSink(spoil);
  let held: Buffer[] = [];
  return {
    ...sink,
    bytes: () => Buffer.concat(held),
    async write(chunk) {
      await sink.write(chunk);
      if (sink.received() - chunk.length < most) held.push(chunk);
    },
    async reset() {
      await sink.reset();
      held = [];
    },
  };
}

/** A file that is gone on with after a restart. */
export async function fileSink(path: string): Promise<Sink> {
  await mkdir(dirname(path), { recursive: true });
  let handle: FileHandle = await open(path, 'a');
  let received = (await stat(path)).size;
  return {
    received: () => received,
    async write(chunk) {
      await handle.appendFile(chunk);
      received += chunk.length;
    },
    async reset() {
      await handle.close();
      await rm(path, { force: true });
      handle = await open(path, 'a');
      received = 0;
    },
    async digest() {
      await handle.sync();
      const hash = createHash('sha256');
      for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
      return hash.digest('hex');
    },
    close: () => handle.close(),
  };
}
