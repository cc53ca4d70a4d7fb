import { orderCalls } from '@mooring/contract/order/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../test/test-app.ts';
import { seedEstate } from './seed-estate.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

test('the sample estate has orders in every state, numbered, and none from tomorrow', async () => {
  await app.context.unscoped((db) => seedEstate(db, 'a Password for 1 test'));
  const who = await app.person('orgManager', { id: 2, path: '1.2.' }, 'manager');
  const states = await Promise.all(
    ['created', 'accepted', 'received', 'repairing', 'returning', 'closed', 'cancelled'].map(async (state) => {
      const { content } = await who.call(orderCalls.page, { criteria: { state }, page: { size: 50 } });
      return content.length;
    }),
  );
  for (const count of states) expect(count).toBeGreaterThan(0);
  const { content } = await who.call(orderCalls.page, { page: { size: 50 } });
  expect(new Set(content.map(({ number, deptId }) => `${deptId} ${number}`)).size).toBe(content.length);
  const [first] = content;
  const entries = await who.call(orderCalls.entries, { id: first?.id ?? 0 });
  for (const { at } of entries.content) expect(new Date(at).getTime()).toBeLessThanOrEqual(Date.now());
});
