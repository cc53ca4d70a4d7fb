import { userCalls } from '@mooring/contract/account/calls';
import { policyCalls } from '@mooring/contract/account/policy-calls';
import { logCalls } from '@mooring/contract/audit-log/calls';
import { loginCalls } from '@mooring/contract/auth/calls';
import { loginPresets } from '@mooring/contract/auth/policy';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SignInClient, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let signInClient: SignInClient;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  signInClient = signInClientOf(app);
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());

const newest = async (criteria = {}) => (await admin.call(logCalls.page, { criteria })).content[0];

test('a code is named by what it was asked for, with its address', async () => {
  const email = 'bob@harbour.example';
  await signInClient.nobody.call(loginCalls.sendCode, { to: email, purpose: 'reset', proof: await signInClient.proof('code') });
  expect(await newest({ text: email })).toMatchObject({ action: { text: 'log.call./sys/login/sendCode.reset' }, target: email });
});

test('a change that waits for approval is requested, on what people call it', async () => {
  const author = await app.person('platformAdmin', app.root, 'manager');
  await app.person('platformAdmin', app.root, 'manager');
  await author.call(systemSettingCalls.dualControl, { enabled: true });
  expect(await newest({ text: 'setting dualControl' })).toMatchObject({ outcome: 'done' });
  const [line] = await author.call(policyCalls.lines);
  const policy = { ...loginPresets.spec, preset: 'custom', maxTries: 7 } as const;
  await author.call(policyCalls.loginEdit, { productLineId: line?.id ?? 0, policy });
  expect(await newest({ domain: 'account' })).toMatchObject({ outcome: 'requested', target: `login ${line?.name}` });
});

test('what an ended session asks for is no refusal in the part it asked, and found with the sign-ins', async () => {
  await clientOf(app.http, 'made-up', 0, 'centre', 0).send(userCalls.info);
  await app.context.refusals.flush();
  app.clock.now = new Date(app.clock.now.getTime() + 60_000);
  await app.context.unscoped((db) => app.context.enqueue(db, 'audit:refusals', {}));
  await app.runJobs();
  const ended = (domain: 'auth' | 'account') =>
    admin.call(logCalls.page, { criteria: { domain } }).then((found) => found.content.filter((one) => one.outcome === 'noSession'));
  expect((await ended('auth')).map((one) => [one.call, one.domain])).toEqual([['/sys/user/info', 'auth']]);
  expect(await ended('account')).toEqual([]);
});
