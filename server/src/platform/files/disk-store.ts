import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BlobStore, OpenBlob } from './blob-store.ts';
import { hashFile } from './hash-file.ts';

const READ_BYTES = 256 * 1024;
const IDLE_MS = 30_000;
/** Another file system, or one without links: then it is copied. */
const noLinks: ReadonlySet<string> = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

interface Shared {
  readonly handle: Promise<FileHandle>;
  /** Of a blob that never changes. */
  size: number | undefined;
  users: number;
  timer: NodeJS.Timeout | undefined;
}

/** Blobs as files named by their digest. One handle per blob serves all its readers (measured: twice the ranges of one handle each). */
export function diskStore(folder: string): BlobStore {
  const handles = new Map<string, Shared>();
  const pathOf = (sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('not a digest');
    return join(sha256.slice(0, 2), sha256);
  };
  const take = (sha256: string): Shared => {
    let shared = handles.get(sha256);
    if (!shared) {
      shared = { handle: open(join(folder, pathOf(sha256)), 'r'), size: undefined, users: 0, timer: undefined };
      handles.set(sha256, shared);
      shared.handle.catch(() => handles.delete(sha256));
    }
    clearTimeout(shared.timer);
    shared.users += 1;
    return shared;
  };
  const give = (sha256: string, shared: Shared) => {
    shared.users -= 1;
    if (shared.users > 0) return;
    shared.timer = setTimeout(() => {
      handles.delete(sha256);
      void shared.handle.then((handle) => handle.close()).catch(() => {});
    }, IDLE_MS);
    shared.timer.unref();
  };

  return {
    name: 'disk',
    pathOf,
    async put(bytes) {
      const incoming = join(folder, 'incoming');
      await mkdir(incoming, { recursive: true });
      const temporary = join(incoming, randomUUID());
      const sha = createHash('sha256');
      const md5 = createHash('md5');
      let size = 0;
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          sha.update(chunk);
          md5.update(chunk);
          size += chunk.length;
          done(null, chunk);
        },
      });
      try {
        // `flush`: the name below must never stand for bytes that a crash lost.
        await pipeline(bytes, measure, createWriteStream(temporary, { flags: 'wx', flush: true }));
        const sha256 = sha.digest('hex');
        const target = join(folder, pathOf(sha256));
        await mkdir(dirname(target), { recursive: true });
        await link(temporary, target).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
        });
        return { sha256, md5: md5.digest('hex'), size };
      } finally {
        await rm(temporary, { force: true });
      }
    },
    async adopt(path, wanted) {
      const file = await open(path, 'r');
      try {
        // The disk works while the digests are made.
        const [digests, { size }] = await Promise.all([hashFile(path), file.stat(), file.sync()]);
        const stored = { ...digests, size };
        if (stored.md5 !== wanted.md5 || stored.size !== wanted.size) return undefined;
        const target = join(folder, pathOf(stored.sha256));
        await mkdir(dirname(target), { recursive: true });
        const isLinked = await link(path, target).then(
          () => true,
          (error: NodeJS.ErrnoException) => {
            if (error.code === 'EEXIST') return true;
            if (noLinks.has(error.code ?? '')) return false;
            throw error;
          },
        );
        return isLinked ? stored : await this.put(createReadStream(path));
      } finally {
        await file.close();
      }
    },
    async size(sha256) {
      try {
        return (await stat(join(folder, pathOf(sha256)))).size;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async read(sha256, range) {
      const shared = take(sha256);
      let handle: FileHandle;
      try {
        handle = await shared.handle;
      } catch (error) {
        give(sha256, shared);
        throw error;
      }
      let at = range?.start ?? 0;
      const end = range?.end ?? Number.MAX_SAFE_INTEGER;
      return new Readable({
        highWaterMark: READ_BYTES,
        read() {
          const want = Math.min(READ_BYTES, end - at + 1);
          if (want <= 0) return void this.push(null);
          handle.read(Buffer.allocUnsafe(want), 0, want, at).then(
            ({ bytesRead, buffer }) => {
              at += bytesRead;
              this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead));
            },
            (error: Error) => this.destroy(error),
          );
        },
        destroy(error, done) {
          give(sha256, shared);
          done(error);
        },
      });
    },
    async open(sha256): Promise<OpenBlob | undefined> {
      const shared = take(sha256);
      try {
        const handle = await shared.handle;
        shared.size ??= (await handle.stat()).size;
        return {
          size: shared.size,
          into: async (block, length, at) => (await handle.read(block, 0, length, at)).bytesRead,
          close: () => give(sha256, shared),
        };
      } catch (error) {
        give(sha256, shared);
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async tidy(before) {
      const incoming = join(folder, 'incoming');
      for (const name of await readdir(incoming).catch(() => [])) {
        const found = await stat(join(incoming, name)).catch(() => undefined);
        if (found && found.mtime < before) await rm(join(incoming, name), { force: true });
      }
    },
    async delete(sha256) {
      await unlink(join(folder, pathOf(sha256))).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    },
  };
}
