import { deviceCalls } from '@mooring/contract/device/calls';
import { regCalls } from '@mooring/contract/device/reg-calls';
import { makeDeviceKeys } from '@mooring/terminal/device-keys';
import { enrol } from '@mooring/terminal/enrolment';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { freePort } from '../../platform/free-port.ts';
import type { DeptAt } from '../org/api.ts';

let app: TestApp;
let server: string;
let admin: Client;
let good: { dept: DeptAt; client: Client };
let evil: { dept: DeptAt; client: Client };
let productId = 0;
const LINE = { id: 2, path: '1.2.' };
const OTHER_LINE = '1.4.';

beforeAll(async () => {
  app = await testApp({ realClock: true });
  const port = await freePort();
  await app.http.listen({ host: '127.0.0.1', port });
  server = `http://127.0.0.1:${port}`;
  admin = await app.person('platformAdmin', app.root);
  const bank = async (name: string) => {
    const dept = await app.dept(name);
    return { dept, client: await app.person('orgManager', dept) };
  };
  good = await bank('Good Bank');
  evil = await bank('Evil Bank');
  productId = await makeProduct(app, LINE, 'A920');
});
afterAll(() => app.stop());

const ask = (sn: string, more: { code?: string; keys?: ReturnType<typeof makeDeviceKeys> } = {}) =>
  enrol({ server, sn, keys: makeDeviceKeys(), product: 'A920', ...more });
const owner = async (sn: string) =>
  (await app.context.unscoped((db) => sql<{ dept_id: number }>`select dept_id from device where sn = ${sn}`.execute(db))).rows[0]?.dept_id;
const rule = (of: { dept: DeptAt }, snPrefix: string, onlyExpected = false) => ({
  name: `Rule ${snPrefix}`,
  snPrefix,
  deptId: of.dept.id,
  onlyExpected,
});
/** As an older version let everybody write it. */
const oldRule = (dept: { id: number; path: string }, prefix: string, onlyExpected = false) =>
  app.context.unscoped((db) =>
    sql`insert into device_enrol_rule (name, sn_prefix, dept_id, dept_path, only_expected, enabled)
      values ('Old rule', ${prefix}, ${dept.id}, ${dept.path}, ${onlyExpected}, true)`.execute(db),
  );
const pending = async (client: Client, sn: string) => (await client.call(regCalls.page, { criteria: { sn } })).content[0];

test('an organisation’s rule claims serial numbers that no other organisation beside it claims, and not all of them', async () => {
  const fields = async (client: Client, input: ReturnType<typeof rule>) =>
    ((await client.send(regCalls.ruleAdd, input)).body as { fields?: unknown } | null)?.fields;
  for (const prefix of ['', 'GB-'])
    expect(await fields(evil.client, rule(evil, prefix))).toMatchObject({ snPrefix: { key: 'invalid.rulePrefix' } });
  const { id, revision } = await good.client.call(regCalls.ruleAdd, rule(good, 'CLAIM-1'));
  for (const prefix of ['CLAIM-1', 'CLAIM-10', 'CLAI'])
    expect(await fields(evil.client, rule(evil, prefix))).toMatchObject({ snPrefix: { key: 'invalid.rulePrefixTaken' } });
  const mine = await evil.client.call(regCalls.ruleAdd, rule(evil, 'CLAIM-2'));
  const moved = await evil.client.send(regCalls.ruleUpdate, { ...rule(evil, 'CLAIM-1'), id: mine.id, revision: mine.revision });
  expect((moved.body as { fields?: unknown }).fields).toMatchObject({ snPrefix: { key: 'invalid.rulePrefixTaken' } });
  // Its own, once more, and one of the product line above it.
  await good.client.call(regCalls.ruleUpdate, { ...rule(good, 'CLAIM-1'), id, revision, remark: 'the same' });
  await admin.call(regCalls.ruleAdd, { name: 'The line’s', snPrefix: '', deptId: LINE.id, onlyExpected: true });
});

test('of two organisations that claim the same at once one is refused', async () => {
  const answers = await Promise.all([good, evil].map((of) => of.client.send(regCalls.ruleAdd, rule(of, 'RACE-'))));
  expect(answers.map((one) => one.code).filter((code) => code === 200)).toHaveLength(1);
});

test('an expected terminal is let in by its own organisation’s rule, whatever longer ones others wrote', async () => {
  await good.client.call(deviceCalls.add, { sn: 'GOOD-0001', productId, deptId: good.dept.id });
  await good.client.call(regCalls.ruleAdd, rule(good, 'GOOD-', true));
  await oldRule(evil.dept, 'GOOD-0');
  expect((await ask('GOOD-0001')).state).toBe('enrolled');
  expect(await owner('GOOD-0001')).toBe(good.dept.id);
});

test('a terminal that nobody expects isn’t taken by an organisation’s rule: it asks, and a person sees whose rule it was', async () => {
  await oldRule(evil.dept, 'STRAY-0');
  await oldRule(evil.dept, '', false);
  const keys = makeDeviceKeys();
  expect((await ask('STRAY-0001', { keys })).state).toBe('asking');
  expect(await owner('STRAY-0001')).toBeUndefined();
  expect(await pending(admin, 'STRAY-0001')).toMatchObject({ rule: 'Old rule (Evil Bank)', codeOf: null, expected: false });
  expect(await pending(evil.client, 'STRAY-0001')).toBeUndefined();
  // A rule of the product line has the trust of all in it, and isn't hidden by the longer one.
  await admin.call(regCalls.ruleAdd, { name: 'Line', snPrefix: 'STRAY', deptId: LINE.id, onlyExpected: false });
  expect((await ask('STRAY-0001', { keys })).state).toBe('enrolled');
  expect(await owner('STRAY-0001')).toBe(LINE.id);
});

test('no rule and no code of another product line takes a terminal of this one', async () => {
  const other = await app.dept('Far Bank', { id: 4, path: OTHER_LINE });
  await oldRule({ id: 4, path: OTHER_LINE }, 'LINE-');
  expect((await ask('LINE-0001')).state).toBe('asking');
  const { code } = await admin.call(regCalls.code, { deptId: other.id });
  expect(await ask('LINE-0001', { code })).toMatchObject({ state: 'refused', error: 'PRODUCT_UNKNOWN' });
  const odd = await admin.send(regCalls.ruleAdd, { name: 'Odd', snPrefix: 'ODDLY-', deptId: other.id, productId });
  expect((odd.body as { fields?: unknown }).fields).toMatchObject({ productId: { key: 'invalid.ruleProduct' } });
});

test('a serial number that another organisation wrote down first is a person’s to decide about, who stands above both', async () => {
  await evil.client.call(deviceCalls.add, { sn: 'SQUAT-0001', productId, deptId: evil.dept.id });
  const { code } = await good.client.call(regCalls.code, { deptId: good.dept.id, productId, maxUses: 5 });
  const keys = makeDeviceKeys();
  expect((await ask('SQUAT-0001', { code, keys })).state).toBe('asking');
  expect(await pending(admin, 'SQUAT-0001')).toMatchObject({ codeOf: 'Good Bank', deptName: 'Evil Bank', expected: true });
  for (const { client } of [good, evil]) expect(await pending(client, 'SQUAT-0001')).toBeUndefined();
  const { code: own } = await evil.client.call(regCalls.code, { deptId: evil.dept.id, productId, maxUses: 5 });
  expect((await ask('SQUAT-0001', { code: own })).state).toBe('enrolled');
  expect(await ask('SQUAT-0001', { code, keys })).toMatchObject({ state: 'refused', error: 'CODE_NOT_FOR_DEVICE' });
});
