import { onlineCalls } from '@mooring/contract/access/online-calls';
import { userCalls } from '@mooring/contract/account/calls';
import { footprintCalls, logCalls } from '@mooring/contract/audit-log/calls';
import { signInCalls } from '@mooring/contract/auth/calls';
import { deviceCalls } from '@mooring/contract/device/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { productCalls } from '@mooring/contract/product/calls';
import { settingCalls } from '@mooring/contract/settings/calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, signInClientOf } from '../../../test/sign-in-client.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { sealAudit } from '../../platform/audit/seal-chain.ts';

let app: TestApp;
let admin: Client;
let adminHere: Client;
let manager: Client;
let outsider: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
  adminHere = await app.person('platformAdmin', app.root, 'manager');
  const bank = await app.dept('Bank');
  manager = await app.person('orgManager', bank);
  outsider = await app.person('orgManager', await app.dept('Other bank'));
  const product = await adminHere.call(productCalls.add, { code: 'LOG-1', name: 'Logged', category: 'smartPos' });
  await adminHere.call(productCalls.update, { id: product.id, name: 'Logged twice', category: 'smartPos' });
  await manager.call(messageCalls.send, { title: 'From the bank', text: 'x' });
  await manager.send(messageCalls.send, { title: 'x', text: 'x', recipients: 'users', userIds: [outsider.userId] });
});
afterAll(() => app.stop());
const logs = (client: Client, criteria = {}) => client.call(logCalls.page, { criteria }).then((found) => found.content);

test('who did what, with before and after; secrets and reads are not in it', async () => {
  const [changed] = await logs(admin, { text: 'LOG-1', domain: 'product' });
  expect(changed).toMatchObject({ domain: 'product', call: '/product/update', result: 'done', platform: 'manager' });
  const whole = await admin.call(logCalls.detail, { id: changed?.id ?? 0 });
  expect([(whole.before as { name: string }).name, (whole.after as { name: string }).name]).toEqual(['Logged', 'Logged twice']);
  expect((await logs(admin)).every((row) => !row.call.endsWith('/page'))).toBe(true);
});

test('what was refused stands there with its fault, and is found by result, person, request and time', async () => {
  const [refused] = await logs(admin, { result: 'refused' });
  expect(refused).toMatchObject({ call: '/message/send', result: 'NOT_FOUND' });
  expect(await logs(admin, { text: refused?.requestId })).toHaveLength(1);
  expect((await logs(admin, { actorName: 'Person 3' })).length).toBe(2);
  expect(await logs(admin, { at: { greaterThanOrEqual: '2100-01-01T00:00:00Z' } })).toEqual([]);
});

test('who signs in is named; what only asks what would happen, and how a table looks, is no change', async () => {
  const signInClient = signInClientOf(app);
  const { account } = await signInClient.person({ name: 'Ann Arrives' });
  await signInClient.signIn(account, PASSWORD);
  const before = (await logs(admin)).length;
  await admin.call(deviceCalls.disable, { of: { criteria: {} }, preview: true });
  const config = { code: 'x', size: 10, isSingleLine: true, configs: [] };
  await admin.call(settingCalls.saveTableConfig, { code: 'x', config: JSON.stringify(config) });
  const rows = await logs(admin);
  expect(rows).toHaveLength(before);
  expect(rows[0]).toMatchObject({ call: '/sys/login/account', actorName: 'Ann Arrives', result: 'done' });
});

test('a preview that is refused is not written as the change that it only asked about', async () => {
  const before = (await logs(admin)).length;
  const nowhere = { id: 2, parentId: 987_654 };
  expect((await admin.send(deptCalls.disable, { id: 987_654, preview: true })).code).toBe(404);
  expect((await admin.send(deptCalls.move, { ...nowhere, preview: true })).code).toBe(404);
  expect(await logs(admin)).toHaveLength(before);
  expect((await admin.send(deptCalls.move, nowhere)).code).toBe(404);
  expect((await logs(admin))[0]).toMatchObject({ call: deptCalls.move.path, result: 'NOT_FOUND' });
});

test('an organisation reads its own log alone', async () => {
  expect((await logs(manager)).map((row) => row.call)).toEqual(['/message/send', '/message/send']);
  expect(await logs(outsider)).toEqual([]);
  const [theirs] = await logs(manager);
  expect((await outsider.send(logCalls.detail, { id: theirs?.id })).code).toBe(404);
});

test('the chain is verified in the background; a changed row is found', async () => {
  await sealAudit(app.context);
  const verify = async () => {
    const { work } = await admin.call(logCalls.verify);
    await app.runJobs();
    return admin.call(backgroundJobCalls.detail, { id: work });
  };
  expect(await verify()).toMatchObject({ state: 'done', reason: null });
  expect((await manager.send(logCalls.verify)).code).toBe(403);
  await app.context.pools.owner.query("update audit_entry set actor_name = 'nobody' where seal_no = 2");
  expect(await verify()).toMatchObject({ state: 'failed', reason: 'CHAIN_BROKEN' });
  const { check } = await admin.call(logCalls.proof);
  expect(check?.bad).toMatchObject([{ kind: 'changed', from: 2, to: 2 }]);
  expect((await manager.send(logCalls.proof)).code).toBe(403);
  await app.runJobs();
  expect((await admin.call(messageCalls.page, {})).content[0]?.title).toBe('The audit log isn’t intact');
});

test('footprints: sign-ins, screens and acts of one person, in order, of one’s own scope', async () => {
  await manager.call(footprintCalls.visit, { path: '/device/device' });
  const steps = (await adminHere.call(footprintCalls.page, { criteria: { userId: manager.userId } })).content;
  expect(new Set(steps.map((one) => one.kind))).toEqual(new Set(['visit', 'act', 'signIn']));
  expect(steps.find((one) => one.kind === 'visit')?.what).toBe('/device/device');
  expect([...steps].sort((a, b) => String(b.at).localeCompare(String(a.at)))).toEqual(steps);
  expect((await adminHere.call(footprintCalls.page, { criteria: { userId: manager.userId, kind: 'visit' } })).total).toBe(1);
  expect((await manager.send(footprintCalls.visit, { path: 'https://example.com/' })).code).toBe(400);
  const before = (await logs(admin)).length;
  await manager.call(footprintCalls.visit, { path: '/welcome' });
  expect((await logs(admin)).length).toBe(before);
});

test('who is online; ending a session ends it at once, one’s own and a stranger’s can’t be ended', async () => {
  const gone = await app.person('orgMember', { id: 2, path: '1.2.' });
  const online = (await adminHere.call(onlineCalls.list, { page: { size: 50 } })).content;
  const row = online.find((one) => one.userId === gone.userId);
  expect(row).toMatchObject({ own: false, allowedActions: ['end'] });
  await adminHere.call(onlineCalls.end, { id: row?.id ?? 0 });
  expect((await gone.send(userCalls.info)).code).toBe(401);
  expect((await adminHere.send(onlineCalls.end, { id: online.find((one) => one.own)?.id })).code).toBe(404);
  expect((await manager.send(onlineCalls.list)).code).not.toBe(200);
  await admin.call(signInCalls.logout);
});
