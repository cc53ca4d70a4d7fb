import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { measure } from '@mooring/server/modules/file/read-multipart';
import { hashFile } from '@mooring/server/platform/files/hash-file';
import { npmAnchor } from './npm-anchor.ts';

const require = createRequire(import.meta.url);
const page = '<!doctype html><title>bare</title><input type="file">';

interface BarePut {
  readonly url: string;
  readonly hasSpark: boolean;
  /** Where the bytes of the last PUT are. */
  readonly stored: string;
  stop(): Promise<void>;
}

/** The digests that the product's server makes, and nothing else of it: MD5 of what comes, MD5 and SHA-256 of what is stored then. */
async function putChecked(request: IncomingMessage, stored: string): Promise<void> {
  const coming = measure(request, Number.POSITIVE_INFINITY, () => new Error('too large'));
  await pipeline(coming.bytes, createWriteStream(stored));
  if ((await hashFile(stored)).md5 !== coming.md5()) throw new Error('stored otherwise');
}

/**
 * A page with nothing but a file field, a server that writes what is put to it into a file and reads what is posted without keeping it, and
 * spark-md5 beside it where it is there. The console's own hash library is there too.
 */
export async function barePut(folder: string): Promise<BarePut> {
  const spark = await npmAnchor('spark-md5');
  const stored = join(folder, 'put');
  const server = createServer(async (request, response) => {
    if (request.method === 'PUT') {
      await (request.url === '/checked' ? putChecked(request, stored) : pipeline(request, createWriteStream(stored)));
      response.end();
    } else if (request.method === 'POST') request.on('end', () => response.end()).resume();
    else if (request.url === '/spark-md5.js' && spark)
      response
        .setHeader('content-type', 'text/javascript')
        .end(await readFile(join(spark, 'node_modules', 'spark-md5', 'spark-md5.min.js')));
    else if (request.url === '/hash-wasm.js')
      response.setHeader('content-type', 'text/javascript').end(await readFile(require.resolve('hash-wasm/dist/md5.umd.min.js')));
    else response.setHeader('content-type', 'text/html').end(page);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hasSpark: spark !== undefined,
    stored,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
