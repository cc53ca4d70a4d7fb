import { brotliDecompressSync } from 'node:zlib';
import { allCalls } from '@mooring/contract';
import { userCalls } from '@mooring/contract/account/calls';
import { languageCalls } from '@mooring/contract/language/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

const texts = (encoding?: string) =>
  app.http.inject({
    method: 'GET',
    url: `/ops${languageCalls.findByCriteria.path}?langCode=en`,
    headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
  });

test('texts of a language go out packed to whoever takes it, and say the same', async () => {
  const plain = await texts();
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const encoding of ['br', 'gzip, deflate, br, zstd', 'br;q=0.5, gzip']) {
    const packed = await texts(encoding);
    expect(packed.headers['content-encoding'], encoding).toBe('br');
    expect(brotliDecompressSync(packed.rawPayload).toString('utf8')).toBe(plain.payload);
    expect(packed.rawPayload.length * 3).toBeLessThan(plain.rawPayload.length);
  }
  for (const encoding of ['gzip', 'br;q=0', 'br;q=0.0, gzip', 'identity', 'bro', ''])
    expect((await texts(encoding)).headers['content-encoding'], encoding).toBeUndefined();
});

test('packed is what its call declares to be the same for anybody, and nothing else: no answer that a secret link opens', () => {
  const shared = allCalls.filter((call) => call.shared);
  expect(shared.map((call) => call.path).sort()).toEqual(['/unLogin/countryMetaData/list', '/unLogin/multiLang/findByCriteria']);
  for (const call of shared) expect([call.can, call.reads]).toEqual(['public', true]);
});

test('an answer to a person is never packed: its length would tell of what stands in it', async () => {
  const { token } = await app.person('platformAdmin', app.root, 'manager');
  const answer = await app.http.inject({
    method: userCalls.info.method,
    url: `/ops${userCalls.info.path}`,
    headers: { 'accept-encoding': 'br', authorization: token, 'accept-platform': 'manager', 'accept-deptid': '1' },
    payload: {},
  });
  expect([answer.headers['content-encoding'], answer.rawPayload.length > 2048]).toEqual([undefined, true]);
});
