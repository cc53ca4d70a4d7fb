import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { userCalls } from '@mooring/contract/account/calls';
import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { DeptAt } from '../../src/modules/org/api.ts';
import { type Client, type TestApp, testApp } from '../test-app.ts';

let app: TestApp;
let bank: DeptAt;
let member: Client;
let port = 0;
beforeAll(async () => {
  app = await testApp({ env: { RATE_PUBLIC: '0' } });
  bank = await app.dept('Bank');
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  port = (app.http.server.address() as AddressInfo).port;
});
afterAll(() => app.stop());
beforeEach(async () => {
  member = await app.person('orgMember', bank);
});

type Header = readonly [name: string, value: string];
/** Headers as they stand, twice where they stand twice. An answer without a body is one of the protocol itself. */
function send(call: Call, headers: readonly Header[]): Promise<{ status: number; fault?: string; code?: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method: call.method,
        path: `/ops${call.path.replace(/\{\w+\}/g, '1')}`,
        headers: [['host', `127.0.0.1:${port}`] as const, ...headers].flat(),
      },
      (answer) => {
        let text = '';
        answer.on('data', (part: Buffer) => {
          text += part.toString();
        });
        answer.on('end', () => {
          const isOurs = text.startsWith('{"code"');
          const { code, body } = isOurs ? (JSON.parse(text) as { code: number; body: { fault?: string } | null }) : { code: 0, body: null };
          resolve({ status: answer.statusCode ?? 0, text, ...(isOurs ? { code } : {}), ...(body?.fault ? { fault: body.fault } : {}) });
        });
        answer.on('error', reject);
      },
    );
    sent.on('error', reject);
    sent.end(call.method === 'POST' ? '{}' : undefined);
  });
}

const good = (): Record<string, string> => ({
  authorization: member.token,
  'accept-platform': 'centre',
  'accept-deptid': '0',
  'accept-language': 'en',
  'time-zone': 'UTC',
  'content-type': 'application/json',
  'x-idle': '0',
});
const odd = [
  '',
  ' ',
  '0',
  '-1',
  '1e9',
  'null',
  '__proto__',
  '../../x',
  'a'.repeat(6000),
  '*;q=9',
  '\u00ff\u00fe',
  '%00',
  '{"a":1}',
  "' or 1=1 --",
];
const without = (name: string): Header[] => Object.entries(good()).filter(([key]) => key !== name);

/** Every variant of one header: left out, twice, and with values of elsewhere. */
const variants = (name: string): (readonly Header[])[] => [
  without(name),
  [...Object.entries(good()), [name, good()[name] ?? '']],
  [...Object.entries(good()), [name, 'other']],
  ...odd.map((value): Header[] => [...without(name), [name, value]]),
];

test('each call bears each header missing, doubled and foreign', async () => {
  // Whoever signs out is let in no more.
  const calls = allCalls.filter((call) => call.wire === 'json' && call.path !== '/sys/logout');
  let sent = 0;
  for (const [at, call] of calls.entries()) {
    for (const [nth, name] of Object.keys(good()).entries()) {
      const all = variants(name);
      // Headers are read before any call's own code: each call meets one variant of each, and each variant some seventy calls.
      const headers = all[(at + nth) % all.length] ?? [];
      const { status, fault, text } = await send(call, headers);
      sent += 1;
      expect([call.path, name, headers.at(-1)?.[1].slice(0, 20), fault, status < 500]).toEqual([
        call.path,
        name,
        headers.at(-1)?.[1].slice(0, 20),
        fault === 'UNEXPECTED' ? 'no failure' : fault,
        true,
      ]);
      expect(text).not.toMatch(/\bat \S+ \(|node:internal|node_modules|\.ts:\d+/);
    }
  }
  expect(sent).toBeGreaterThan(calls.length * 6);
  // Thousands of requests, one after the other: the time goes with the number of calls.
}, 300_000);

test('nothing but one’s own token, platform and organisation lets anybody in', async () => {
  expect((await send(userCalls.info, Object.entries(good()))).code).toBe(200);
  for (const name of ['authorization', 'accept-platform', 'accept-deptid'])
    for (const value of odd.filter((one) => one.trim() !== '' && one !== '0')) {
      const { code, status } = await send(userCalls.info, [...without(name), [name, value]]);
      expect([name, value.slice(0, 20), code === 200 || (status === 200 && code === undefined)]).toEqual([name, value.slice(0, 20), false]);
    }
  // Two tokens are no token.
  expect((await send(userCalls.info, [['authorization', 'other'], ...Object.entries(good())])).code).toBe(401);
});

test('more and longer headers than anybody sends end at the door', async () => {
  const many = Array.from({ length: 3000 }, (_, n): Header => [`x-${n}`, 'y']);
  for (const more of [many, [['x-long', 'y'.repeat(40_000)] as const]]) {
    const status = await send(userCalls.info, [...Object.entries(good()), ...more]).then(
      (answer) => answer.status,
      (error: NodeJS.ErrnoException) => error.code,
    );
    // The connection may end before its answer was read.
    expect([431, 'ECONNRESET', 'EPIPE']).toContain(status);
  }
  expect((await send(userCalls.info, Object.entries(good()))).code).toBe(200);
});
