import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';

export interface S3Place {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
}
interface Asked {
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}
export interface S3 {
  /** The answer, also where nothing is there (404); every other refusal is an error. */
  ask(method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE', key: string, asked?: Asked): Promise<Response>;
  /** As `ask`, for acts that answer 200 and may still have failed: the text says so. */
  act(method: 'PUT' | 'POST', key: string, asked?: Asked): Promise<string>;
  /** For this method alone: the signature covers it. */
  signedUrl(key: string, seconds: number, method?: 'GET' | 'HEAD'): Promise<string>;
  /** As `x-amz-copy-source` wants it. */
  source(key: string): string;
  keys(prefix: string): AsyncGenerator<string>;
  objects(prefix: string): AsyncGenerator<{ readonly key: string; readonly changed: Date }>;
  /** Uploads in parts that were begun and neither completed nor given up. */
  uploads(): AsyncGenerator<{ readonly key: string; readonly id: string; readonly begun: Date }>;
}

const RETRIES = 4;
/** An error code is understood further up: the store is away for now, or full. */
const failed = (message: string, code: string) => Object.assign(new Error(message), { code });
const FULL = /<Code>(XMinioStorageFull|QuotaExceeded|InsufficientCapacity|NoSpaceLeft)/;

export const textOf = (xml: string, tag: string): string | undefined =>
  new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
export const md5Header = (bytes: Buffer) => ({ 'content-md5': createHash('md5').update(bytes).digest('base64') });

/** The few calls of S3 that we need, path-style, so that any host name and any port serve. */
export function s3Client(place: S3Place, onFailure: (method: string) => void = () => {}): S3 {
  const aws = new AwsClient({
    accessKeyId: place.accessKey,
    secretAccessKey: place.secretKey,
    service: 's3',
    region: place.region,
    retries: RETRIES,
  });
  const base = `${place.endpoint.replace(/\/+$/, '')}/${place.bucket}`;
  const urlOf = (key: string, query: Readonly<Record<string, string>> = {}) => {
    const url = new URL(key === '' ? base : `${base}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url.href;
  };
  const refuse = (method: string, status: number, text: string): Error => {
    const word = textOf(text, 'Code') ?? '';
    if (status === 507 || FULL.test(text)) return failed('the object store is full', 'ENOSPC');
    if (status >= 500 || status === 429) return failed(`the object store answers ${status} ${word}`, 'ECONNREFUSED');
    return new Error(`the object store refused ${method}: ${status} ${word} ${textOf(text, 'Message') ?? ''}`.trim());
  };
  const ask: S3['ask'] = async (method, key, { query, headers, body } = {}) => {
    const init = {
      method,
      headers: { ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    };
    const answer = await aws.fetch(urlOf(key, query), init).catch((error: unknown) => {
      onFailure(method);
      throw failed(`the object store doesn't answer: ${String((error as Error).cause ?? error)}`, 'ECONNREFUSED');
    });
    if (answer.ok) return answer;
    const text = await answer.text();
    if (answer.status === 404 && textOf(text, 'Code') !== 'NoSuchBucket') return answer;
    onFailure(method);
    throw refuse(method, answer.status, text);
  };
  async function* objects(prefix: string): AsyncGenerator<{ key: string; changed: Date }> {
    let next: string | undefined;
    do {
      const answer = await ask('GET', '', { query: { 'list-type': '2', prefix, ...(next ? { 'continuation-token': next } : {}) } });
      const text = await answer.text();
      for (const [, found = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const [key, changed] = [textOf(found, 'Key'), textOf(found, 'LastModified')];
        if (key) yield { key, changed: new Date(changed ?? Date.now()) };
      }
      next = textOf(text, 'NextContinuationToken');
    } while (next);
  }
  return {
    ask,
    async act(method, key, asked) {
      const answer = await ask(method, key, asked);
      const text = answer.bodyUsed ? '' : await answer.text();
      if (!answer.ok || text.includes('<Error>')) throw refuse(method, answer.ok ? 500 : answer.status, text);
      return text;
    },
    async signedUrl(key, seconds, method = 'GET') {
      const signed = await aws.sign(urlOf(key, { 'X-Amz-Expires': String(seconds) }), { method, aws: { signQuery: true } });
      return signed.url;
    },
    source: (key) => `/${place.bucket}/${key}`,
    async *uploads() {
      let next: Record<string, string> | undefined = {};
      while (next) {
        const answer = await ask('GET', '', { query: { uploads: '', ...next } });
        const text = await answer.text();
        for (const [, found = ''] of text.matchAll(/<Upload>(.*?)<\/Upload>/gs)) {
          const [key, id, begun] = [textOf(found, 'Key'), textOf(found, 'UploadId'), textOf(found, 'Initiated')];
          if (key && id && begun) yield { key, id, begun: new Date(begun) };
        }
        const [key, id] = [textOf(text, 'NextKeyMarker'), textOf(text, 'NextUploadIdMarker')];
        next = textOf(text, 'IsTruncated') === 'true' && key ? { 'key-marker': key, ...(id ? { 'upload-id-marker': id } : {}) } : undefined;
      }
    },
    async *keys(prefix) {
      for await (const { key } of objects(prefix)) yield key;
    },
    objects,
  };
}
