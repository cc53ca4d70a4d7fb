import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deviceCalls } from '@mooring/contract/device/calls';
import { entryCalls } from '@mooring/contract/inventory/stock';
import { syncConflictCalls, syncRunCalls, syncSourceCalls } from '@mooring/contract/inventory/sync';
import { productShareCalls } from '@mooring/contract/product/share-calls';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeProduct } from '../../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { faultOf } from '../../merchant/merchant.factory.ts';
import type { DeptAt } from '../../org/api.ts';
import { makeStocked } from '../inventory.factory.ts';

interface Said {
  readonly sn: unknown;
  readonly product?: unknown;
  readonly owner?: unknown;
}
/** A small asset register: what it says is set by each test. */
let pages: readonly (readonly Said[])[] = [];
let answer: { readonly status: number; readonly body: string } | undefined;
let asked: { readonly authorization: string | undefined; readonly cursor: string | null }[] = [];
let register: Server;
let url = '';

let app: TestApp;
let bank: DeptAt;
let branch: DeptAt;
let admin: Client;
let keeper: Client;
let outsider: Client;
let product = { id: 0, code: '' };
let other = { id: 0, code: '' };

beforeAll(async () => {
  register = createServer((request, response) => {
    const target = new URL(request.url ?? '', 'http://register');
    const cursor = target.searchParams.get('cursor');
    asked.push({ authorization: request.headers.authorization, cursor });
    if (answer) return void response.writeHead(answer.status).end(answer.body);
    const at = Number(cursor ?? 0);
    response.end(JSON.stringify({ terminals: pages[at] ?? [], next: at + 1 < pages.length ? String(at + 1) : null }));
  });
  await new Promise<void>((done) => register.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(register.address() as AddressInfo).port}/feed`;
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
  await admin.call(systemSettingCalls.outbound, { registers: ['127.0.0.1'] });
  const line = { id: 2, path: '1.2.' };
  bank = await app.dept('Meridian', line);
  branch = await app.dept('Meridian North', bank);
  keeper = await app.person('orgManager', bank, 'manager');
  outsider = await app.person('orgManager', await app.dept('Other bank', line), 'manager');
  product = await productOf();
  other = await productOf();
});
afterAll(async () => {
  await app.stop();
  register.close();
});
beforeEach(async () => {
  await app.context.unscoped((db) => db.deleteFrom('inventory_sync_source').execute());
  pages = [];
  answer = undefined;
  asked = [];
});

async function productOf() {
  const id = await makeProduct(app, app.root);
  const { code } = await app.context.unscoped((db) =>
    db.selectFrom('product_product').select('code').where('id', '=', id).executeTakeFirstOrThrow(),
  );
  return { id, code };
}
let made = 0;
const connect = (more: object = {}) => {
  made += 1;
  return keeper.call(syncSourceCalls.add, { name: `Register ${made}`, url, deptId: bank.id, ...more });
};
async function read(sourceId: number) {
  const { id } = await keeper.call(syncSourceCalls.run, { id: sourceId });
  await app.runJobs();
  return keeper.call(syncRunCalls.detail, { id });
}
const conflictsOf = async (sourceId: number) => (await keeper.call(syncConflictCalls.page, { criteria: { sourceId } })).content;
const named = (sn: string, product_: string, owner?: string): Said => ({
  sn,
  product: product_,
  ...(owner === undefined ? {} : { owner }),
});
const deviceOf = async (sn: string) => {
  const found = await keeper.call(deviceCalls.page, { criteria: { text: sn } });
  return found.content[0];
};

test('new terminals come into stock of their owners, with their entry; reading again changes nothing', async () => {
  const { id } = await connect({ signIn: 'token', token: 's3cret' });
  pages = [
    [named('sync0001', product.code), named('SYNC0002', product.code.toLowerCase(), 'meridian north')],
    [named('SYNC0003', product.code)],
  ];
  expect(await read(id)).toMatchObject({ state: 'done', received: 3, added: 3, same: 0, conflicts: 0, unreadable: 0, reason: null });
  expect(asked).toEqual([
    { authorization: 'Bearer s3cret', cursor: null },
    { authorization: 'Bearer s3cret', cursor: '1' },
  ]);
  expect(await deviceOf('SYNC0002')).toMatchObject({ status: '5', deptId: branch.id, productId: product.id });
  const entries = await keeper.call(entryCalls.page, { criteria: { text: 'SYNC0001' } });
  expect(entries.content).toMatchObject([{ type: '5', document: 'Register 1' }]);
  expect(await read(id)).toMatchObject({ state: 'done', received: 3, added: 0, same: 3, conflicts: 0 });
});

test('where both sides differ a person decides; what is kept stays kept until the register says something else', async () => {
  const { id } = await connect({ addsNew: false });
  const [device] = await makeStocked(app, bank, product.id, 1, '5');
  const sn = device?.sn ?? '';
  pages = [
    [
      named(sn, other.code, 'Meridian North'),
      named('SYNCNEW1', product.code),
      named('SYNCNEW2', 'no such'),
      named('SYNCNEW3', product.code, 'Nobody'),
    ],
  ];
  expect(await read(id)).toMatchObject({ state: 'done', conflicts: 4, added: 0 });
  const found = await conflictsOf(id);
  expect(Object.fromEntries(found.map((one) => [one.sn, one.why]))).toEqual({
    [sn]: ['owner', 'product'],
    SYNCNEW1: ['unlisted'],
    SYNCNEW2: ['productUnknown'],
    SYNCNEW3: ['ownerUnknown'],
  });
  expect(found.find((one) => one.sn === sn)).toMatchObject({
    ourOwner: 'Meridian',
    theirOwner: 'Meridian North',
    ourProduct: product.code,
    theirProduct: other.code,
  });

  const all = { of: { criteria: { sourceId: id }, except: [] } };
  expect(await keeper.call(syncConflictCalls.take, { ...all, preview: true })).toMatchObject({ total: 4, refused: 2 });
  const taken = await keeper.call(syncConflictCalls.take, all);
  expect(taken).toMatchObject({ total: 4, done: 2, refused: 2 });
  expect(taken.failed.map(({ label, fault }) => [label, fault]).toSorted()).toEqual([
    ['SYNCNEW2', 'SYNC_PRODUCT_UNKNOWN'],
    ['SYNCNEW3', 'SYNC_OWNER_UNKNOWN'],
  ]);
  expect(await deviceOf(sn)).toMatchObject({ deptId: branch.id, productId: other.id, status: '5' });
  expect(await deviceOf('SYNCNEW1')).toMatchObject({ deptId: bank.id, status: '5' });
  // What stood here when it was found is still said.
  expect((await conflictsOf(id)).find((one) => one.sn === sn)).toMatchObject({
    ourOwner: 'Meridian',
    ourProduct: product.code,
    state: 'theirs',
  });

  await keeper.call(syncConflictCalls.keep, { of: { criteria: { sourceId: id }, except: [] } });
  const states = async () => Object.fromEntries((await conflictsOf(id)).map((one) => [one.sn, one.state]));
  const settled = { [sn]: 'settled', SYNCNEW1: 'settled', SYNCNEW2: 'ours', SYNCNEW3: 'ours' };
  await read(id);
  expect(await states()).toEqual(settled);
  pages = [[named(sn, other.code, 'Meridian North'), named('SYNCNEW1', product.code), named('SYNCNEW2', 'no such either')]];
  await read(id);
  expect(await states()).toEqual({ ...settled, SYNCNEW2: 'open', SYNCNEW3: 'settled' });
});

test('a new terminal whose organisation can’t use the product is noted, and taken once it is shared', async () => {
  const south = await app.dept('Meridian South', bank);
  const id = await makeProduct(app, branch);
  const [{ code = '' } = {}] = await app.context.unscoped((db) =>
    db.selectFrom('product_product').select('code').where('id', '=', id).execute(),
  );
  const source = await connect();
  pages = [[named('SYNCSOUTH', code, 'Meridian South'), named('SYNCNORTH', code, 'Meridian North')]];
  expect(await read(source.id)).toMatchObject({ state: 'done', added: 1, conflicts: 1 });
  const [row] = await conflictsOf(source.id);
  expect(row).toMatchObject({ sn: 'SYNCSOUTH', why: ['productElsewhere'] });
  const take = () => keeper.call(syncConflictCalls.take, { of: { ids: [row?.id ?? 0] } });
  expect((await take()).failed).toMatchObject([{ label: 'SYNCSOUTH', fault: 'DEVICE_PRODUCT' }]);
  expect(await deviceOf('SYNCSOUTH')).toBeUndefined();
  await admin.call(productShareCalls.share, { id, deptIds: [south.id] });
  expect(await take()).toMatchObject({ done: 1 });
  expect(await deviceOf('SYNCSOUTH')).toMatchObject({ deptId: south.id, productId: id });
});

test('what was taken and then undone here is open again', async () => {
  const { id } = await connect();
  const [device] = await makeStocked(app, bank, product.id, 1, '5');
  pages = [[named(device?.sn ?? '', product.code, 'Meridian North')]];
  await read(id);
  await keeper.call(syncConflictCalls.take, { of: { criteria: { sourceId: id }, except: [] } });
  await keeper.call(deviceCalls.move, { of: { ids: [device?.id ?? 0] }, deptId: bank.id });
  await read(id);
  expect(await conflictsOf(id)).toMatchObject([{ state: 'open', decidedBy: '' }]);
});

test('a register speaks of its own organisation and those below, whoever has it read', async () => {
  const { id } = await connect();
  const elsewhere = await app.dept('Far bank', { id: 2, path: '1.2.' });
  const far = await app.person('orgManager', elsewhere, 'manager');
  const [theirs] = await makeStocked(app, elsewhere, product.id, 1, '5');
  pages = [[named('SYNC0301', product.code, 'Far bank'), named(theirs?.sn ?? '', product.code, 'Meridian')]];
  const run = await admin.call(syncSourceCalls.run, { id });
  await app.runJobs();
  expect(await keeper.call(syncRunCalls.detail, { id: run.id })).toMatchObject({ state: 'done', added: 0, conflicts: 2 });
  const found = await conflictsOf(id);
  expect(Object.fromEntries(found.map((one) => [one.sn, one.why]))).toEqual({ SYNC0301: ['ownerUnknown'], [theirs?.sn ?? '']: ['taken'] });
  const taken = await admin.call(syncConflictCalls.take, { of: { ids: found.map((one) => one.id) } });
  expect(taken).toMatchObject({ done: 0, refused: 2 });
  expect((await far.call(deviceCalls.page, { criteria: { text: 'SYNC0301' } })).content).toEqual([]);
});

test('a terminal that two answers name differently, and a product that is no longer published, make no new conflict at each reading', async () => {
  const { id } = await connect();
  const old = await productOf();
  const [used, twice] = [(await makeStocked(app, bank, old.id, 1, '2'))[0], (await makeStocked(app, bank, product.id, 1, '5'))[0]];
  await app.context.unscoped((db) => sql`update product_product set publish_status = '0' where id = ${old.id}`.execute(db));
  const sn = twice?.sn ?? '';
  pages = [[named(used?.sn ?? '', old.code), named(sn, product.code, 'Meridian North')], [named(sn, product.code, 'Nobody')]];
  expect(await read(id)).toMatchObject({ state: 'done', conflicts: 1 });
  await keeper.call(syncConflictCalls.keep, { of: { criteria: { sourceId: id }, except: [] } });
  expect(await read(id)).toMatchObject({ state: 'done', conflicts: 0 });
  expect(await conflictsOf(id)).toMatchObject([{ sn, state: 'ours' }]);
});

test('an organisation has ten registers at most', async () => {
  for (let at = 0; at < 10; at += 1) await connect();
  expect(await faultOf(keeper.send(syncSourceCalls.add, { name: 'One more', url, deptId: bank.id }))).toBe('SYNC_SOURCES_MANY');
  await connect({ deptId: branch.id });
});

test('an answer is a step of its own, and one that comes twice is taken once', async () => {
  const { id } = await connect();
  pages = [[named('SYNC0401', product.code)], [named('SYNC0402', product.code)]];
  const { id: run } = await keeper.call(syncSourceCalls.run, { id });
  await app.runJobs();
  for (const cursor of [null, '1'])
    await app.context.unscoped((db) => app.context.enqueue(db, 'inventory:sync', { run, cursor }, { key: `again:${cursor}` }));
  await app.runJobs();
  expect(await keeper.call(syncRunCalls.detail, { id: run })).toMatchObject({ state: 'done', received: 2, added: 2 });
});

test('a run whose asker may not act there any more ends by itself and frees the register', async () => {
  const gone = await app.person('orgManager', bank, 'manager');
  const { id } = await connect();
  const { id: run } = await gone.call(syncSourceCalls.run, { id });
  await app.context.unscoped((db) => sql`update account_user set state = '1' where id = ${gone.userId}`.execute(db));
  await app.runJobs();
  app.clock.now = new Date(app.clock.now.getTime() + 120_000);
  await app.context.unscoped((db) => app.context.enqueue(db, 'inventory:syncDue', {}));
  await app.runJobs();
  expect(await keeper.call(syncRunCalls.detail, { id: run })).toMatchObject({ state: 'failed', reason: 'SYNC_LOST' });
});

test('a terminal in use keeps its product, one on its way stays, and somebody else’s is told as taken', async () => {
  const { id } = await connect();
  const [used, theirs] = [
    (await makeStocked(app, bank, product.id, 1, '2'))[0],
    (await makeStocked(app, { id: 2, path: '1.2.' }, product.id, 1, '5'))[0],
  ];
  pages = [[named(used?.sn ?? '', other.code), named(theirs?.sn ?? '', product.code)]];
  await read(id);
  const found = await conflictsOf(id);
  expect(Object.fromEntries(found.map((one) => [one.sn, one.why]))).toEqual({
    [used?.sn ?? '']: ['product'],
    [theirs?.sn ?? '']: ['taken'],
  });
  const taken = await keeper.call(syncConflictCalls.take, { of: { ids: found.map((one) => one.id) } });
  expect(taken).toMatchObject({ done: 0, refused: 2 });
  expect(taken.failed.map((one) => one.fault).toSorted()).toEqual(['SN_TAKEN', 'SYNC_PRODUCT']);
  expect((await conflictsOf(id)).map((one) => one.state)).toEqual(['open', 'open']);
});

test.each([
  ['a wrong token', { status: 401, body: '' }, 'SYNC_SIGN_IN'],
  ['an error', { status: 500, body: 'oops' }, 'SYNC_STATUS'],
  ['a redirect', { status: 302, body: '' }, 'SYNC_STATUS'],
  ['no JSON', { status: 200, body: '<html>' }, 'SYNC_ANSWER'],
  ['another shape', { status: 200, body: '{"devices":[]}' }, 'SYNC_ANSWER'],
  ['an endless answer', { status: 200, body: `{"terminals":[${'"x",'.repeat(700_000)}"x"]}` }, 'SYNC_ANSWER'],
  ['a circle', { status: 200, body: '{"terminals":[],"next":"1"}' }, 'SYNC_ANSWER'],
  ['too many at once', { status: 200, body: JSON.stringify({ terminals: Array.from({ length: 1001 }, () => ({})) }) }, 'SYNC_ANSWER'],
])('%s ends the reading with its reason, and nothing is half done', async (_name, said, reason) => {
  const { id } = await connect();
  answer = said;
  expect(await read(id)).toMatchObject({ state: 'failed', reason, added: 0 });
});

test('what can’t be read is counted, and the rest is taken', async () => {
  const { id } = await connect();
  pages = [
    [
      named('SYNC0101', product.code),
      { sn: 'x' },
      { sn: 'POS_0001.A', product: product.code },
      { sn: 'SYNC\u0000102', product: product.code },
      { sn: 'SYNC0103', product: 'A\u0000' },
      { sn: 'SYNC0104', product: product.code, owner: '\ud800' },
      { sn: 7 },
      named('SYNC0101', product.code),
    ],
  ];
  expect(await read(id)).toMatchObject({ state: 'done', received: 8, added: 1, unreadable: 7 });
});

test('a register is read once at a time, by its schedule with its keeper’s rights, and without them it says so', async () => {
  const { id } = await connect({ schedule: 'hourly' });
  pages = [[named('SYNC0201', product.code)]];
  await keeper.call(syncSourceCalls.run, { id });
  expect(await faultOf(keeper.send(syncSourceCalls.run, { id }))).toBe('SYNC_RUNNING');
  expect(await faultOf(keeper.send(syncSourceCalls.delete, { id }))).toBe('SYNC_RUNNING');
  await app.runJobs();
  const due = async () => {
    await app.context.unscoped((db) => app.context.enqueue(db, 'inventory:syncDue', {}));
    await app.runJobs();
    return (await keeper.call(syncRunCalls.page, { criteria: { sourceId: id } })).content;
  };
  expect(await due()).toMatchObject([
    { byName: '', state: 'done', same: 1 },
    { state: 'done', added: 1 },
  ]);
  expect(await due()).toHaveLength(2);
  app.clock.now = new Date(app.clock.now.getTime() + 3_700_000);
  expect(await due()).toHaveLength(3);
  await app.context.unscoped((db) => sql`update inventory_sync_source set keeper_id = null where id = ${id}`.execute(db));
  app.clock.now = new Date(app.clock.now.getTime() + 3_700_000);
  expect((await due())[0]).toMatchObject({ state: 'failed', reason: 'FORBIDDEN' });
});

test('addresses inside are refused where they aren’t allowed; a token is kept when it is left empty, and is in no answer', async () => {
  expect(await faultOf(keeper.send(syncSourceCalls.add, { name: 'Inside', url: 'http://10.0.0.1/', deptId: bank.id }))).toBe(
    'ADDRESS_NOT_PUBLIC',
  );
  expect(await faultOf(keeper.send(syncSourceCalls.add, { name: 'No token', url, deptId: bank.id, signIn: 'token' }))).toBe('BAD_INPUT');
  const source = await connect({ signIn: 'token', token: 'kept-token' });
  expect(JSON.stringify(source)).not.toContain('kept-token');
  const { id, name, revision } = source;
  await keeper.call(syncSourceCalls.update, { id, revision, name, url, signIn: 'token', token: '', schedule: 'none', addsNew: true });
  pages = [[]];
  await read(id);
  expect(asked.at(-1)?.authorization).toBe('Bearer kept-token');
  const same = { id, name, signIn: 'token' as const, token: '', schedule: 'none' as const, addsNew: true };
  const now = async () => ({ ...same, revision: (await keeper.call(syncSourceCalls.detail, { id })).revision });
  expect(await faultOf(keeper.send(syncSourceCalls.update, { ...(await now()), url: 'https://1.1.1.1/feed' }))).toBe('BAD_INPUT');
  expect(await faultOf(keeper.send(syncSourceCalls.update, { ...(await now()), url: url.replace('//', '//user:pass@') }))).toBe(
    'BAD_INPUT',
  );
  expect(await faultOf(outsider.send(syncSourceCalls.run, { id }))).toBe('NOT_FOUND');
  expect((await outsider.call(syncConflictCalls.page, {})).content).toEqual([]);
});
