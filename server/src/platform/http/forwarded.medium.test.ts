import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { readConfig } from '../config/config.ts';

let app: TestApp | undefined;
afterEach(() => app?.stop());

/** Which address the server takes a request for, and whether it shows its figures there. */
async function seen(trust: string, forwarded: string | undefined, remoteAddress = '127.0.0.1') {
  app = await testApp({ env: { TRUST_PROXY: trust } });
  const { http } = app;
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const metrics = await http.inject({ url: '/metrics', headers, remoteAddress });
  const call = await http.inject({ method: 'POST', url: '/ops/unLogin/pageSetting', payload: {}, headers, remoteAddress });
  expect(JSON.parse(call.body)).toMatchObject({ code: 200 });
  const found = await app.context.unscoped((db) => sql<{ key: string }>`select key from http_rate where key like 'public %'`.execute(db));
  const ip = found.rows.map((row) => row.key.replace('public ', '')).join();
  return { ip, metrics: metrics.statusCode };
}

test.each([
  // Nobody is trusted: the header is anybody's word.
  ['0', '127.0.0.1', '198.51.100.7', { ip: '198.51.100.7', metrics: 404 }],
  // One proxy: what it added is the last, and all before it is the client's own word.
  ['1', '127.0.0.1, 198.51.100.7', '10.0.0.1', { ip: '198.51.100.7', metrics: 404 }],
  ['1', '198.51.100.1, 198.51.100.2, 198.51.100.7', '10.0.0.1', { ip: '198.51.100.7', metrics: 404 }],
  ['2', '127.0.0.1, 198.51.100.7, 10.0.0.2', '10.0.0.1', { ip: '198.51.100.7', metrics: 404 }],
  ['10.0.0.0/8', '127.0.0.1, 198.51.100.7, 10.0.0.2', '10.0.0.1', { ip: '198.51.100.7', metrics: 404 }],
  // Who comes past the proxy is no proxy.
  ['10.0.0.0/8', '127.0.0.1', '198.51.100.9', { ip: '198.51.100.9', metrics: 404 }],
  // Junk and all before it is nothing.
  ['1', "127.0.0.1, '; drop table", '10.0.0.1', { ip: '10.0.0.1', metrics: 404 }],
  ['10.0.0.0/8', '127.0.0.1, unknown, 198.51.100.7', '10.0.0.1', { ip: '198.51.100.7', metrics: 404 }],
  ['loopback', undefined, '127.0.0.1', { ip: '127.0.0.1', metrics: 200 }],
])('TRUST_PROXY=%s, X-Forwarded-For %s from %s', async (trust, forwarded, from, is) => {
  expect(await seen(trust, forwarded, from)).toEqual(is);
});

test.each(['yes', '10.0.0.0/99', '10', 'proxy.example.com', ''])('TRUST_PROXY=%s is refused, or nothing', (value) => {
  const read = () => readConfig({ TRUST_PROXY: value }, []).TRUST_PROXY;
  if (value === '') expect(read()).toBe(false);
  else expect(read).toThrow(/TRUST_PROXY/);
});

test('behind a proxy that ended TLS browsers are told to stay with it, and only there', async () => {
  const made = await testApp({ env: { TRUST_PROXY: '1' } });
  app = made;
  const saidTo = async (headers: Record<string, string>) =>
    (await made.http.inject({ url: '/healthz', headers })).headers['strict-transport-security'];
  expect(await saidTo({ 'x-forwarded-proto': 'https' })).toMatch(/max-age/);
  expect(await saidTo({ 'x-forwarded-proto': 'http' })).toBeUndefined();
  expect(await saidTo({})).toBeUndefined();
});
