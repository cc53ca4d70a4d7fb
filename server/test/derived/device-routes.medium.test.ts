import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../test-app.ts';

/** What is no request, sent to every path that takes something from terminals: the paths are those that the server registered. */

let app: TestApp;
let paths: readonly string[] = [];
beforeAll(async () => {
  app = await testApp();
  paths = registered(app.http, 'POST').filter((path) => path.startsWith('/d/'));
});
afterAll(() => app.stop());

/** Each line of the server's own list goes on where the line above it, one step to the left, stopped. */
function registered(http: FastifyInstance, method: 'POST'): string[] {
  const above: string[] = [];
  return http
    .printRoutes({ method, commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^((?:[│ ] {3})*)[├└]── (.*?) \((.*)\)$/.exec(line) ?? [];
      const depth = indent.length / 4;
      const path = `${depth > 0 ? (above[depth - 1] ?? '') : ''}${part}`;
      above[depth] = path;
      return methods.split(', ').includes(method) ? [path] : [];
    });
}

const json = 'application/json';
const broken: readonly (readonly [name: string, type: string | undefined, body: string | Buffer | undefined])[] = [
  ['half of an object', json, '{"sn":'],
  ['nothing', json, ''],
  ['nothing, of no type', undefined, undefined],
  ['an empty list', json, '[]'],
  ['a list of objects', json, '[{"sn":"A-1"}]'],
  ['null', json, 'null'],
  ['a number', json, '17'],
  ['a text', json, '"sn"'],
  ['an object of nothing', json, '{}'],
  ['another prototype', json, '{"__proto__":{"sn":"A-1"}}'],
  ['lists in lists', json, '['.repeat(10_000)],
  ['bytes that are no text', json, Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])],
  ['an object after a byte-order mark', json, '\uFEFF{}'],
  ['fields of any kind', json, '{"sn":{},"request":[],"product":7,"at":false,"signature":null,"code":{"a":1}}'],
  ['a text with zeros', json, '{"sn":"\\u0000","request":"\\u0000","product":"\\u0000","at":"\\u0000","signature":"\\u0000"}'],
  ['an object of no type', undefined, '{"sn":"A-1"}'],
  ['an object that says it is a text', 'text/plain', '{"sn":"A-1"}'],
  ['markup', 'text/xml', '<sn>A-1</sn>'],
  ['a form', 'application/x-www-form-urlencoded', 'sn=A-1'],
  ['a form in parts', 'multipart/form-data; boundary=a', '--a\r\ncontent-disposition: form-data; name="sn"\r\n\r\nA-1\r\n--a--\r\n'],
  ['a form in parts without its boundary', 'multipart/form-data', '--a--'],
  ['a type that is none', 'json', '{"sn":"A-1"}'],
];

test('the paths that terminals send to are known', () => {
  expect(paths.toSorted()).toEqual(expect.arrayContaining(['/d/enrol', '/d/nonce', '/d/renew', '/d/token']));
});

test.each(broken)('%s is refused by name, on every path', async (_name, type, body) => {
  for (const url of paths) {
    const answer = await app.http.inject({
      method: 'POST',
      url,
      headers: type === undefined ? {} : { 'content-type': type },
      ...(body === undefined ? {} : { payload: body }),
    });
    expect([400, 415], `${url}: ${answer.statusCode} ${answer.body}`).toContain(answer.statusCode);
    expect(answer.json(), url).toMatchObject({ error: expect.stringMatching(/^[A-Z_]+$/), time: expect.any(String) });
  }
});
