import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fault } from '@mooring/contract/kit/fault';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { makeNonce } from './headers.ts';
import { takesBrotli } from './packed.ts';

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};
/** Where index.html wants the nonce of its answer. */
const NONCE_MARK = '__CSP_NONCE__';

interface Asset {
  readonly file: string;
  /** Packed where the build made that. What is packed and asked for as it is, which browsers hardly do, is read from the disk. */
  readonly body: Buffer;
  readonly packed: boolean;
  readonly type: string;
  readonly etag: string;
}

function readAssets(dir: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const type = types[extname(file)];
    if (!entry.isFile() || !type) continue;
    const stat = statSync(file);
    const packed = existsSync(`${file}.br`);
    assets.set(`/${relative(dir, file).split(sep).join('/')}`, {
      file,
      body: readFileSync(packed ? `${file}.br` : file),
      packed,
      type,
      etag: `"${stat.size.toString(36)}-${stat.mtimeMs.toString(36)}"`,
    });
  }
  return assets;
}

/** A proxy may put a path prefix in front (specification, section 7) that `url` doesn't show: assets are named from where the page is. */
const fromHere = (index: string, path: string): string =>
  index.replaceAll('="/', `="${'../'.repeat(Math.max(0, path.split('/').length - 2)) || './'}`);

/** No address of the console: its page would name each file from as deep as that, and so be many times as long as what asked for it. */
const isStrange = (path: string): boolean => path.length > 2048 || path.split('/').length > 21;

/**
 * The built console from memory, with the brotli files that the build made. Every unknown address is the console's own: it shows its
 * not-found page. `pictures` says where they may come from besides.
 */
export function serveConsole(http: FastifyInstance, dir: string, pictures: () => Promise<string | undefined>): void {
  const assets = readAssets(dir);
  const index = assets.get('/index.html')?.body.toString('utf8');
  if (index === undefined) throw new Error(`no console in ${dir}: build it first`);
  const shell = async (reply: FastifyReply, path: string) =>
    reply
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(fromHere(index, path).replaceAll(NONCE_MARK, makeNonce(reply, await pictures())));
  http.get('/*', async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? '/';
    if (isStrange(path)) return reply.code(404).send();
    if (path.startsWith('/ops/')) throw fault('NOT_FOUND');
    const asset = path === '/index.html' ? undefined : assets.get(path);
    if (!asset) return extname(path) && path.startsWith('/assets/') ? reply.code(404).send() : shell(reply, path);
    if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send();
    const packed = asset.packed && takesBrotli(request);
    if (packed) void reply.header('content-encoding', 'br');
    return reply
      .header('cache-control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      .header('vary', 'accept-encoding')
      .header('etag', asset.etag)
      .type(asset.type)
      .send(packed || !asset.packed ? asset.body : await readFile(asset.file));
  });
}
