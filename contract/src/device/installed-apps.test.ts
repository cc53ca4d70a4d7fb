import { expect, test } from 'vitest';
import { upMessages } from './messages.ts';

const hello = { product: 'A920', firmware: '1.0', agent: 'x', capabilities: [], timeZone: 'UTC' };
const appsOf = (apps: unknown) => upMessages.hello.parse({ ...hello, apps }).apps;
const app = { id: 'com.bank.pay', name: 'Pay', version: '1.0', code: 1, certificate: 'ab'.repeat(32) };

test('texts of an app that are longer than there is room are cut, and no terminal is refused for them', () => {
  expect(appsOf([{ ...app, name: 'n'.repeat(5000), version: 'v'.repeat(256) }])).toEqual([
    { ...app, name: 'n'.repeat(255), version: 'v'.repeat(255) },
  ]);
  expect(appsOf([{ ...app, name: `${'n'.repeat(254)}💳`, version: '1\u00002\ud800' }])).toEqual([
    { ...app, name: 'n'.repeat(254), version: '12\ufffd' },
  ]);
});

test.each([
  [{ ...app, id: 'settings' }],
  [{ ...app, id: 'com.bank\u0000.pay' }],
  [{ ...app, code: -1 }],
  [{ ...app, code: 1.5 }],
  [{ ...app, certificate: 'none' }],
  [{ ...app, version: 7 }],
  [null],
  ['com.bank.pay'],
  [[]],
])('an app that can’t be read is left out, the others stay: %j', (wrong) => {
  expect(appsOf([wrong, app])).toEqual([app]);
});

test('no list of apps is none, and of too many the first ones are kept', () => {
  expect(appsOf('all')).toEqual([]);
  expect(appsOf(null)).toEqual([]);
  expect(upMessages.hello.parse(hello)).not.toHaveProperty('apps');
  expect(appsOf(Array.from({ length: 400 }, (_, at) => ({ ...app, id: `com.bank.n${at}` })))).toHaveLength(300);
});
