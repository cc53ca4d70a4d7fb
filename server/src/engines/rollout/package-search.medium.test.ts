import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePackage } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  const owner = await app.person('platformAdmin', app.root, 'manager');
  for (const [code, name, versions] of [
    ['A920', 'Smart POS A920', ['2.0.1', '3.1']],
    ['Q80', 'Mobile POS Q80', ['2.0.1']],
  ] as const) {
    const { id } = await owner.call(productCalls.add, { code, name, category: 'smartPos', publish: true });
    for (const version of versions) await makePackage(app, admin, app.root, id, version);
  }
});
afterAll(() => app.stop());

const found = async (text: string) =>
  (await admin.call(packageCalls.page, { criteria: { text } })).content.map((one) => `${one.productName} ${one.version}`).sort();

test.each([
  ['a product and its version', 'smart pos 2.0', ['Smart POS A920 2.0.1']],
  ['the other way round', '2.0 smart', ['Smart POS A920 2.0.1']],
  ['as the picker writes it', 'Smart POS A920 · 2.0.1 (TA)', ['Smart POS A920 2.0.1']],
  ['a version of several', '2.0', ['Mobile POS Q80 2.0.1', 'Smart POS A920 2.0.1']],
  ['a code and a kind', 'q80 ta', ['Mobile POS Q80 2.0.1']],
  ['a kind that it isn’t', 'q80 di', []],
  ['a word that is nowhere', 'smart pos 2.0 green', []],
  ['no word at all', '()', []],
])('%s', async (_name, text, expected) => expect(await found(text)).toEqual(expected));

test('products and people are found as their pickers write them', async () => {
  expect((await admin.call(productCalls.list, { text: 'Smart POS A920 (A920)' })).map((one) => one.code)).toEqual(['A920']);
  expect((await admin.call(messageCalls.people, { text: 'Person 1 (person1)' })).map((one) => one.account)).toEqual(['person1']);
});
