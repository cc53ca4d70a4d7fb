import { HELLO_MAX } from '@mooring/contract/device/limits';
import { upMessages } from '@mooring/contract/device/messages';
import { expect, test } from 'vitest';
import { fitHello } from './fit-hello.ts';

const hello = { product: 'A920', firmware: '1.0', agent: 'x', capabilities: [], timeZone: 'UTC' };
const app = (at: number, name: string) => ({ id: `com.bank.n${at}`, name, version: '1.0', code: at, certificate: 'ab'.repeat(32) });
const apps = (count: number, name: string) => Array.from({ length: count }, (_, at) => app(at, name));

test('300 apps as they are go into one hello', () => {
  const fitted = fitHello({ ...hello, apps: apps(300, 'A quite ordinary name') });
  expect(fitted.left).toBe(0);
  expect(fitted.data.apps).toHaveLength(300);
});

test('what doesn’t fit goes from the end, and the rest is taken by the server', () => {
  const { data, left } = fitHello({ ...hello, apps: apps(300, '收'.repeat(400)) });
  expect(left).toBeGreaterThan(100);
  expect(data.apps?.[0]?.name).toBe('收'.repeat(255));
  expect(data.apps?.length).toBe(300 - left);
  const envelope = { v: 1, id: 'x'.repeat(64), at: new Date().toISOString(), data };
  expect(Buffer.byteLength(JSON.stringify(envelope))).toBeLessThanOrEqual(HELLO_MAX);
  expect(upMessages.hello.parse(data)).toEqual(data);
});
