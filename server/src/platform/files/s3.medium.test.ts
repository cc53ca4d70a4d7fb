import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ObjectStore, startObjectStore } from '../../../test/object-store.ts';
import { freePort } from '../free-port.ts';
import type { BlobStore } from './blob-store.ts';
import { type S3, s3Client } from './s3-client.ts';
import { s3Staging } from './s3-staging.ts';
import { s3Store } from './s3-store.ts';

const MB = 1024 * 1024;
let objects: ObjectStore;
let s3: S3;
let store: BlobStore;
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const inChunks = (bytes: Buffer, length = 70_000) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
    })(),
  );
const all = async (prefix: string) => {
  const found: string[] = [];
  for await (const key of s3.keys(prefix)) found.push(key);
  return found;
};

beforeAll(async () => {
  objects = await startObjectStore();
  s3 = s3Client(objects.place);
  store = s3Store(s3, { partBytes: 5 * MB, copyBytes: 6 * MB });
});
afterAll(() => objects.stop());

test.for([0, 1, 5 * MB, 5 * MB + 1, 13 * MB + 7])(
  '%i bytes are stored once under their digest and read back, whole and in part',
  async (length) => {
    const bytes = randomBytes(length);
    const stored = await store.put(inChunks(bytes));
    expect(stored).toEqual({ sha256: sha(bytes), md5: createHash('md5').update(bytes).digest('hex'), size: length });
    expect(await store.size(stored.sha256)).toBe(length);
    expect((await buffer(await store.read(stored.sha256))).equals(bytes)).toBe(true);
    if (length > 1)
      expect((await buffer(await store.read(stored.sha256, { start: length - 2, end: length - 1 }))).equals(bytes.subarray(-2))).toBe(true);
    expect(await store.put(Readable.from([bytes]))).toEqual(stored);
    expect(await all(`blobs/${stored.sha256.slice(0, 2)}/${stored.sha256}`)).toHaveLength(1);
    expect(await all('incoming/')).toEqual([]);
    await store.delete(stored.sha256);
    await store.delete(stored.sha256);
    expect(await store.size(stored.sha256)).toBeUndefined();
  },
);

test('a source that breaks in the middle leaves nothing', async () => {
  const breaking = Readable.from(
    (async function* () {
      yield randomBytes(6 * MB);
      throw new Error('the line broke');
    })(),
  );
  await expect(store.put(breaking)).rejects.toThrow('the line broke');
  expect(await all('incoming/')).toEqual([]);
});

test('a signed address gives ranges to whoever holds it, for this object alone', async () => {
  const bytes = randomBytes(90_000);
  const { sha256 } = await store.put(Readable.from([bytes]));
  const url = (await store.signedUrl?.(sha256, 60)) ?? '';
  const part = await fetch(url, { headers: { range: 'bytes=89990-' } });
  expect(part.status).toBe(206);
  expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(89_990))).toBe(true);
  const other = await store.put(Readable.from([randomBytes(10)]));
  expect(
    (await fetch(url.replaceAll(sha256, other.sha256).replace(`/${sha256.slice(0, 2)}/`, `/${other.sha256.slice(0, 2)}/`))).status,
  ).toBe(403);
});

test('staged parts are read by name and cleared together', async () => {
  const staging = s3Staging(s3);
  const part = (number: number) => ({ number, md5: 'x', at: (number - 1) * 6, size: 6 });
  await Promise.all([1, 2, 3].map((number) => staging.put(41, part(number), [Buffer.from('part '), Buffer.from(`${number}`)])));
  await staging.put(410, part(1), [Buffer.from('another upload')]);
  expect((await staging.read(41, part(2))).toString()).toBe('part 2');
  await staging.clear(41);
  await expect(staging.read(41, part(2))).rejects.toThrow('is gone');
  expect(await all('uploads/')).toEqual(['uploads/410/1-x']);
});

test('a store that is away, foreign or misnamed is an error that says so', async () => {
  const away = s3Store(s3Client({ ...objects.place, endpoint: 'http://127.0.0.1:9' }));
  await expect(away.size('a'.repeat(64))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const unknown = s3Store(s3Client({ ...objects.place, bucket: 'no-such-bucket' }));
  await expect(unknown.put(Readable.from([randomBytes(10)]))).rejects.toThrow(/NoSuchBucket/);
  const foreign = s3Store(s3Client({ ...objects.place, secretKey: 'wrong' }));
  await expect(foreign.put(Readable.from([randomBytes(10)]))).rejects.toThrow(/SignatureDoesNotMatch|403/);
  await expect(store.read('../../etc/passwd')).rejects.toThrow('not a digest');
});

test('what a killed process left on its way goes after a day, other people’s stays, and a store that lists nothing is borne', async () => {
  const day = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const upload = (key: string, id: string, begun: string) =>
    `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${begun}</Initiated></Upload>`;
  const pages: Record<string, string> = {
    '': `${upload('incoming/a', '1', day(2))}${upload('incoming/b', '2', day(0))}<IsTruncated>true</IsTruncated><NextKeyMarker>incoming/b</NextKeyMarker><NextUploadIdMarker>2</NextUploadIdMarker>`,
    'incoming/b 2': `${upload('blobs/c', '3', day(3))}${upload('elsewhere/d', '4', day(9))}<IsTruncated>false</IsTruncated>`,
  };
  const contents = `<Contents><Key>incoming/e</Key><LastModified>${day(2)}</LastModified></Contents><Contents><Key>incoming/f</Key><LastModified>${day(0)}</LastModified></Contents>`;
  const removed: string[] = [];
  const server = createServer((request, answer) => {
    const url = new URL(request.url ?? '', 'http://store');
    const key = url.pathname.replace('/mooring', '').slice(1);
    if (request.method === 'DELETE') removed.push(`${key} ${url.searchParams.get('uploadId') ?? ''}`.trim());
    const at = `${url.searchParams.get('key-marker') ?? ''} ${url.searchParams.get('upload-id-marker') ?? ''}`.trim();
    answer.end(url.searchParams.has('uploads') ? `<R>${pages[at]}</R>` : `<R>${contents}</R>`);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  try {
    await s3Store(s3Client({ ...objects.place, endpoint: `http://127.0.0.1:${port}` })).tidy?.(new Date(Date.now() - 86_400_000));
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  expect(removed).toEqual(['incoming/a 1', 'blobs/c 3', 'incoming/e']);
  await s3.act('PUT', 'incoming/stray', { body: 'x' });
  await store.tidy?.(new Date(Date.now() - 86_400_000));
  expect(await all('incoming/')).toEqual(['incoming/stray']);
  await store.tidy?.(new Date(Date.now() + 86_400_000));
  expect(await all('incoming/')).toEqual([]);
});
