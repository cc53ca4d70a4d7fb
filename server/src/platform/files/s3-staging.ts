import { md5Header, type S3 } from './s3-client.ts';
import type { Part, Staging } from './staging.ts';

const AT_ONCE = 16;

/** Two senders of one number with different bytes don't meet: the row that was written first names the bytes that count. */
const partName = (part: Part): string => `${part.number}-${part.md5}`;

/** Parts as objects of their own, so that any server process may put them together. A part is small: it is gathered, then sent whole. */
export function s3Staging(s3: S3): Staging {
  const folder = (upload: number) => `uploads/${upload}/`;
  return {
    async put(upload, part, bytes) {
      const whole = Buffer.concat(bytes);
      await s3.act('PUT', folder(upload) + partName(part), { headers: md5Header(whole), body: whole });
    },
    async read(upload, part) {
      const answer = await s3.ask('GET', folder(upload) + partName(part));
      if (!answer.ok) throw Object.assign(new Error(`part ${part.number} of upload ${upload} is gone`), { code: 'ENOENT' });
      return Buffer.from(await answer.arrayBuffer());
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
