import { footprintCalls, logCalls } from '@mooring/contract/audit-log/calls';
import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { messageCalls } from '@mooring/contract/message/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { type Client, type TestApp, testApp } from '../test-app.ts';

let app: TestApp;
const hidden: Client[] = [];
const NAMES = ['Unseen Line', 'Unseen Market'];

beforeAll(async () => {
  app = await testApp();
  for (const [at, role] of ['productLineAdmin', 'marketAdmin'].entries()) {
    const one = await app.person(role, { id: 2, path: '1.2.' });
    hidden.push(one);
    await app.context.unscoped((db) =>
      db
        .updateTable('account_user')
        .set({ name: NAMES[at] ?? '' })
        .where('id', '=', one.userId)
        .execute(),
    );
  }
});
afterAll(() => app.stop());

/** Where they are named all the same, each with its reason. */
const named: Readonly<Record<string, string>> = {
  [logCalls.page.path]: 'the log says who did what, whoever it was',
};
const shapeOf = (call: Call) => (call.input as unknown as { shape?: Record<string, z.ZodType> }).shape ?? {};
const lists = allCalls.filter((call) => call.wire === 'json' && call.can !== 'public' && call.reads && !(call.path in named));
const inputOf = (call: Call) => {
  const shape = shapeOf(call);
  return { ...('page' in shape ? { page: { size: 100 } } : {}), ...('text' in shape ? { text: '' } : {}) };
};

const readers = [
  ['auditor', 'centre'],
  ['auditor', 'manager'],
  ['regionMaintainer', 'centre'],
] as const;
test.each(readers)('nothing that a %s reads on the %s platform names product-line or market administrators', async (role, platform) => {
  const reader = await app.person(role, { id: 2, path: '1.2.' }, platform);
  const telling: string[] = [];
  for (const call of lists) {
    const { code, body } = await reader.send(call, inputOf(call));
    if (code === 200 && NAMES.some((name) => JSON.stringify(body).includes(name))) telling.push(call.path);
  }
  expect(telling).toEqual([]);
});

test('their steps are nobody’s either, and administrators see them', async () => {
  const auditor = await app.person('auditor', { id: 2, path: '1.2.' }, 'manager');
  const admin = await app.person('platformAdmin', app.root, 'manager');
  for (const one of hidden) {
    const asked = { criteria: { userId: one.userId } };
    expect([(await auditor.send(footprintCalls.page, asked)).code, (await admin.send(footprintCalls.page, asked)).code]).toEqual([
      404, 200,
    ]);
  }
  expect(JSON.stringify(await admin.call(messageCalls.people, { text: 'Unseen' }))).toContain(NAMES[0]);
});
