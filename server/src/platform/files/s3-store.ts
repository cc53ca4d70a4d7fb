import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { BlobStore } from './blob-store.ts';
import { md5Header, type S3 } from './s3-client.ts';
import { beginMultipart, type Multipart } from './s3-multipart.ts';

const MB = 1024 * 1024;
const INCOMING = 'incoming/';
/** The bucket may hold other people's. */
const isOurs = (key: string) => key.startsWith(INCOMING) || key.startsWith('blobs/');
export interface S3Limits {
  /** Of a part on its way; all but the last are of this size, as some stores want it. */
  readonly partBytes: number;
  /** Above this an object isn't copied in one call. */
  readonly copyBytes: number;
}
/** 10,000 parts of 8 MB are 80 GB; AWS copies 5 GB in one call. */
const usual: S3Limits = { partBytes: 8 * MB, copyBytes: 1024 * MB };

/**
 * Blobs as objects named by their digest. A large one comes in under a name of its own, since its digest is known at its end,
 * and is copied by the store: nothing stands under a digest that isn't whole.
 */
export function s3Store(s3: S3, limits: S3Limits = usual): BlobStore {
  const keyOf = (sha256: string) => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('not a digest');
    return `blobs/${sha256.slice(0, 2)}/${sha256}`;
  };
  const sizeOf = async (key: string): Promise<number | undefined> => {
    const answer = await s3.ask('HEAD', key);
    return answer.ok ? Number(answer.headers.get('content-length')) : undefined;
  };
  const remove = async (key: string) => {
    const answer = await s3.ask('DELETE', key);
    await answer.arrayBuffer();
  };
  const copy = async (from: string, to: string, size: number) => {
    if (size <= limits.copyBytes) return void (await s3.act('PUT', to, { headers: { 'x-amz-copy-source': s3.source(from) } }));
    const upload = await beginMultipart(s3, to);
    try {
      for (let at = 0; at < size; at += limits.copyBytes)
        await upload.addCopy(s3.source(from), at, Math.min(size, at + limits.copyBytes) - 1);
      await upload.complete();
    } catch (error) {
      await upload.abort();
      throw error;
    }
  };

  return {
    name: 's3',
    async put(bytes) {
      const sha = createHash('sha256');
      const md5 = createHash('md5');
      const incoming = `${INCOMING}${randomUUID()}`;
      let size = 0;
      let held = Buffer.alloc(0);
      let waiting: Buffer[] = [];
      let waits = 0;
      let upload: Multipart | undefined;
      let isComplete = false;
      const gather = () => {
        held = Buffer.concat([held, ...waiting]);
        waiting = [];
        waits = 0;
      };
      try {
        for await (const chunk of bytes as AsyncIterable<Buffer>) {
          sha.update(chunk);
          md5.update(chunk);
          size += chunk.length;
          waiting.push(chunk);
          waits += chunk.length;
          if (held.length + waits <= limits.partBytes) continue;
          gather();
          for (; held.length > limits.partBytes; held = held.subarray(limits.partBytes)) {
            upload ??= await beginMultipart(s3, incoming);
            await upload.add(held.subarray(0, limits.partBytes));
          }
        }
        gather();
        const stored = { sha256: sha.digest('hex'), md5: md5.digest('hex'), size };
        const key = keyOf(stored.sha256);
        const isKept = (await sizeOf(key)) === size;
        if (!upload) {
          if (!isKept) await s3.act('PUT', key, { headers: md5Header(held), body: held });
          return stored;
        }
        if (isKept) return stored;
        await upload.add(held);
        await upload.complete();
        isComplete = true;
        await copy(incoming, key, size);
        return stored;
      } finally {
        if (isComplete) await remove(incoming).catch(() => {});
        else await upload?.abort();
      }
    },
    size: (sha256) => sizeOf(keyOf(sha256)),
    async read(sha256, range) {
      const answer = await s3.ask('GET', keyOf(sha256), range ? { headers: { range: `bytes=${range.start}-${range.end}` } } : {});
      if (!answer.ok) throw Object.assign(new Error(`no blob ${sha256}`), { code: 'ENOENT' });
      return answer.body ? Readable.fromWeb(answer.body as ReadableStream) : Readable.from([]);
    },
    signedUrl: (sha256, seconds, method) => s3.signedUrl(keyOf(sha256), seconds, method),
    async tidy(before) {
      const left: { key: string; id: string }[] = [];
      try {
        for await (const one of s3.uploads()) if (one.begun < before && isOurs(one.key)) left.push(one);
      } catch (error) {
        // Some stores don't list them; a lifecycle rule of the bucket has to do.
        if (!/NotImplemented|MethodNotAllowed/.test(String(error))) throw error;
      }
      for (const { key, id } of left) await (await s3.ask('DELETE', key, { query: { uploadId: id } })).arrayBuffer();
      // Whole under its first name, and never copied to its own.
      const strays: string[] = [];
      for await (const one of s3.objects(INCOMING)) if (one.changed < before) strays.push(one.key);
      for (const key of strays) await remove(key);
    },
    delete: (sha256) => remove(keyOf(sha256)),
  };
}
