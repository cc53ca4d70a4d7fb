import { md5Header, type S3, textOf } from './s3-client.ts';

export interface Multipart {
  add(bytes: Buffer): Promise<void>;
  /** Bytes that the store has already, both ends included. */
  addCopy(source: string, start: number, end: number): Promise<void>;
  complete(): Promise<void>;
  /** Best effort: what a crash leaves is ended by the nightly sweep. */
  abort(): Promise<void>;
}

/** One object in parts; it stands under its key only when it is complete. */
export async function beginMultipart(s3: S3, key: string): Promise<Multipart> {
  const uploadId = textOf(await s3.act('POST', key, { query: { uploads: '' } }), 'UploadId');
  if (!uploadId) throw new Error('the object store gave no upload id');
  const etags: string[] = [];
  const query = () => ({ partNumber: String(etags.length + 1), uploadId });
  return {
    async add(bytes) {
      const answer = await s3.ask('PUT', key, { query: query(), headers: md5Header(bytes), body: bytes });
      const etag = answer.headers.get('etag');
      await answer.arrayBuffer();
      if (!answer.ok || !etag) throw new Error('the object store lost an upload');
      etags.push(etag);
    },
    async addCopy(source, start, end) {
      const text = await s3.act('PUT', key, {
        query: query(),
        headers: { 'x-amz-copy-source': source, 'x-amz-copy-source-range': `bytes=${start}-${end}` },
      });
      const etag = textOf(text, 'ETag');
      if (!etag) throw new Error('the object store copied nothing');
      etags.push(etag);
    },
    async complete() {
      const parts = etags.map((etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`).join('');
      await s3.act('POST', key, {
        query: { uploadId },
        headers: { 'content-type': 'application/xml' },
        body: `<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`,
      });
    },
    abort: async () => void (await s3.ask('DELETE', key, { query: { uploadId } }).catch(() => {})),
  };
}
