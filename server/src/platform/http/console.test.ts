import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveConsole } from './console.ts';
import { secureHeaders } from './headers.ts';

const dir = mkdtempSync(join(tmpdir(), 'mooring-console-'));
const http = Fastify();
const script = 'console.log("a".repeat(1000))';

beforeAll(() => {
  mkdirSync(join(dir, 'assets'));
  writeFileSync(
    join(dir, 'index.html'),
    '<meta name="csp-nonce" content="__CSP_NONCE__"><script type="module" src="/assets/a-1.js"></script><link rel="icon" href="/icon.svg">',
  );
  writeFileSync(join(dir, 'assets', 'a-1.js'), script);
  writeFileSync(join(dir, 'assets', 'a-1.js.br'), brotliCompressSync(script));
  secureHeaders(http, false);
  serveConsole(http, dir, async () => 'https://tiles.example');
});
afterAll(async () => {
  await http.close();
  rmSync(dir, { recursive: true });
});

test('every address of the console is its page, with a nonce of its own and never kept', async () => {
  const [one, other] = [await http.inject('/welcome'), await http.inject('/welcome')];
  const nonce = /content="([^"]+)"/.exec(one.body)?.[1] ?? '';
  expect(one.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
  expect(other.body).not.toContain(nonce);
  expect(one.headers['cache-control']).toBe('no-store');
});

test.each([
  ['/', './'],
  ['/welcome', './'],
  ['/device/device', '../'],
  ['/device/deviceDetail/7', '../../'],
])('%s names its files from where it is, so that a path prefix in front does no harm', async (path, up) => {
  const { body } = await http.inject(path);
  expect(body).toContain(`src="${up}assets/a-1.js"`);
  expect(body).toContain(`href="${up}icon.svg"`);
});

test('files are sent packed to who takes it, kept for ever, and not again when they are known', async () => {
  const packed = await http.inject({ url: '/assets/a-1.js', headers: { 'accept-encoding': 'gzip, br' } });
  expect(packed.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(script);
  expect(packed.headers['cache-control']).toContain('immutable');
  expect((await http.inject('/assets/a-1.js')).body).toBe(script);
  expect((await http.inject({ url: '/assets/a-1.js', headers: { 'if-none-match': String(packed.headers.etag) } })).statusCode).toBe(304);
});

test('a file that is not there is no page, and no path leads out of the folder', async () => {
  expect((await http.inject('/assets/gone-2.js')).statusCode).toBe(404);
  for (const path of ['/../../etc/passwd', '/assets/../../package.json', '/%2e%2e/%2e%2e/etc/passwd'])
    expect((await http.inject(path)).body).not.toMatch(/root:|"name"/);
});

test.each([
  ['more than 20 slashes', `/a${'/'.repeat(21)}`],
  ['nothing but slashes', `/a${'/'.repeat(15_900)}`],
  ['more than 2048 characters', `/welcome/${'a'.repeat(2040)}`],
])('an address with %s has no page', async (_what, path) => {
  const { statusCode, body } = await http.inject(path);
  expect([statusCode, body]).toEqual([404, '']);
});
