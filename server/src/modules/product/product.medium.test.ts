import { logCalls } from '@mooring/contract/audit-log/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { productCalls } from '@mooring/contract/product/calls';
import { firmCalls } from '@mooring/contract/product/firm-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDevices } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';

let app: TestApp;
let admin: Client;
let bank: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  bank = await app.person('orgManager', await app.dept('Bank'), 'manager');
});
afterAll(() => app.stop());

let made = 0;
const add = (more: object = {}) =>
  admin.call(productCalls.add, { code: `P${++made}`, name: `Product ${made}`, category: 'smartPos', ...more });
const faultOf = async (asked: ReturnType<Client['send']>) => {
  const { code, body } = await asked;
  return body?.fault ?? code;
};

test('a product is what was given and what the schema adds', async () => {
  const product = await add({ code: 'A920', name: ' Touch ', industry: 'bank' });
  expect(product).toMatchObject({
    code: 'A920',
    name: 'Touch',
    category: 'smartPos',
    firm: '',
    firmId: null,
    photoId: null,
    picture: 'smartPos',
    industry: 'bank',
    networks: ['wifi', 'cellular'],
    packageKinds: ['firmware'],
    heartbeatSeconds: 300,
    publishStatus: '0',
    deptId: 1,
    deptName: expect.any(String),
    isShared: false,
    revision: 1,
    allowedActions: ['update', 'delete', 'publish', 'share'],
  });
  expect(product).not.toHaveProperty('publish');
  expect(await admin.call(productCalls.detail, { id: product.id })).toEqual(product);
});

test('a code is one product in the whole installation, however it is written and whoever sees it', async () => {
  await add({ code: 'Unique' });
  const again = await admin.send(productCalls.add, { code: 'uNIQUE', name: 'Again', category: 'mPos' });
  expect([again.code, again.body?.fault, Object.keys(again.body?.fields ?? {})]).toEqual([400, 'PRODUCT_CODE_TAKEN', ['code']]);
  const both = ['Race', 'RACE'].map((code) => admin.send(productCalls.add, { code, name: code, category: 'mPos' }));
  expect((await Promise.all(both)).map((one) => one.code).sort()).toEqual([200, 400]);
});

test('below its owner it is read and not changed', async () => {
  const { id } = await add();
  const manager = await app.person('platformAdmin', await app.dept('Branch'), 'manager');
  expect(await manager.call(productCalls.detail, { id })).toMatchObject({ allowedActions: [], offers: [] });
  const change = { id, name: 'Mine', category: 'mPos' };
  expect(await faultOf(manager.send(productCalls.update, change))).toBe('NOT_FOUND');
  expect(await faultOf(manager.send(productCalls.publish, { id }))).toBe('NOT_FOUND');
  expect(await faultOf(manager.send(productCalls.delete, { id }))).toBe('NOT_FOUND');
  expect(await faultOf(bank.send(productCalls.update, change))).toBe('FORBIDDEN');
});

test('it is deleted where nothing keeps it: neither its state nor a terminal', async () => {
  const { id } = await add({ publish: true });
  expect(await admin.call(productCalls.detail, { id })).toMatchObject({
    publishStatus: '1',
    allowedActions: ['update', 'unpublish', 'share'],
  });
  expect(await faultOf(admin.send(productCalls.delete, { id }))).toBe('PRODUCT_IN_USE');
  expect(await faultOf(admin.send(productCalls.publish, { id }))).toBe('OVERTAKEN');
  await admin.call(productCalls.unpublish, { id });
  const used = await add();
  await makeDevices(app, await app.dept('Shop'), used.id, ['USED1234']);
  expect(await faultOf(admin.send(productCalls.delete, { id: used.id }))).toBe('PRODUCT_IN_USE');
  expect(await admin.call(productCalls.delete, { id })).toBeNull();
  expect(await faultOf(admin.send(productCalls.detail, { id }))).toBe('NOT_FOUND');
});

test('a list is narrowed, sorted and searched; a picker has the published ones', async () => {
  const first = await add({ name: 'Zebra reader', category: 'mobileReader', publish: true });
  const second = await add({ name: 'Apple reader', category: 'mobileReader' });
  const ids = async (criteria: object, page: object = { sort: 'name', order: 'asc' }) =>
    (await admin.call(productCalls.page, { criteria, page })).content.map((one) => one.id);
  expect(await ids({ category: 'mobileReader' })).toEqual([second.id, first.id]);
  expect(await ids({ category: { in: ['mobileReader'] }, publishStatus: '1' })).toEqual([first.id]);
  expect(await ids({ text: 'reader apple' })).toEqual([second.id]);
  expect(await ids({ text: second.code.toLowerCase() })).toEqual([second.id]);
  expect(await admin.call(productCalls.list, { text: 'reader' })).toEqual([
    { id: first.id, code: first.code, name: 'Zebra reader', category: 'mobileReader', picture: 'mobileReader', photoId: null },
  ]);
});

test('the log keeps what stood before and what stands now', async () => {
  const { id: firmId } = await admin.call(firmCalls.add, { code: 'MAKER', name: 'Maker' });
  const { id, code } = await add({ name: 'Old', firmId });
  await admin.call(productCalls.update, { id, name: 'New', category: 'mPos', firmId });
  const { content } = await admin.call(logCalls.page, { criteria: { domain: 'product' }, page: { size: 2 } });
  expect(content.map((one) => [one.call, one.target])).toEqual([
    ['/product/update', `product ${code}`],
    ['/product/add', `product ${code}`],
  ]);
  const { before, after } = await admin.call(logCalls.detail, { id: content[0]?.id ?? 0 });
  expect([before, after]).toMatchObject([
    { name: 'Old', category: 'smartPos', firmId },
    { name: 'New', category: 'mPos', firmId },
  ]);
});

test('the list goes out as it is filtered, in words', async () => {
  await add({ code: 'EXPORTED', name: 'Exported', category: 'cloudSpeaker', industry: 'bank', networks: ['wifi', 'other'] });
  const columns = ['code', 'category', 'industry', 'networks', 'publishStatus', 'heartbeatSeconds', 'deptName'];
  const { work } = await admin.call(productCalls.export, { criteria: { text: 'EXPORTED' }, format: 'csv', columns });
  await app.runJobs();
  expect(await admin.call(backgroundJobCalls.detail, { id: work })).toMatchObject({ state: 'done', done: 1 });
  const { url } = await admin.call(backgroundJobCalls.download, { id: work });
  const [head, row] = (await app.http.inject({ url: `/ops${url}` })).body.split('\r\n');
  expect(head).toBe('\uFEFFCode,Category,Industry,Networks,Publish state,Heartbeat (seconds),Organisation');
  expect(row).toMatch(/^EXPORTED,Cloud speaker,Banking,"Wi-Fi, Other",Not published,300,/);
  expect(await faultOf(admin.send(productCalls.export, { criteria: {}, format: 'csv', columns: ['publish'] }))).toBe('EXPORT_COLUMN');
});
