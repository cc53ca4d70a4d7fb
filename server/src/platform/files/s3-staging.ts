import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { md5Header, type S3 } from './s3-client.ts';
import type { Staging } from './staging.ts';

const AT_ONCE = 16;

/** Parts as objects of their own, so that any server process may put them together. A part is small: it is gathered, then sent whole. */
export function s3Staging(s3: S3): Staging {
  const folder = (upload: number) => `uploads/${upload}/`;
  return {
    async put(upload, part, bytes) {
      const whole = await buffer(bytes);
      await s3.act('PUT', folder(upload) + part, { headers: md5Header(whole), body: whole });
    },
    async read(upload, part) {
      const answer = await s3.ask('GET', folder(upload) + part);
      if (!answer.ok || !answer.body) throw Object.assign(new Error(`part ${part} of upload ${upload} is gone`), { code: 'ENOENT' });
      return Readable.fromWeb(answer.body as ReadableStream);
    },
    async clear(upload) {
      let some: string[] = [];
      const remove = async () => {
        await Promise.all(some.map(async (key) => (await s3.ask('DELETE', key)).arrayBuffer()));
        some = [];
      };
      const all: string[] = [];
      for await (const key of s3.keys(folder(upload))) all.push(key);
      for (const key of all) if (some.push(key) === AT_ONCE) await remove();
      await remove();
    },
  };
}
