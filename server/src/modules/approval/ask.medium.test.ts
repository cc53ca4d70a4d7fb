import { approvalCalls } from '@mooring/contract/approval/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { addDept, type DeptAt } from '../org/api.ts';

let app: TestApp;
let unit: DeptAt;
let bank: DeptAt;
let admin: Client;
let author: Client;
let region: Client;
let line: Client;
let market: Client;
let customer: Client;
let productId = 0;
let packageId = 0;
const { settle, sns } = releasing(
  () => app,
  () => author,
  () => packageId,
);

beforeAll(async () => {
  // What is put off is put off by the clock of the database.
  app = await testApp({ realClock: true });
  unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region North', parent: { id: 2, path: '1.2.' } }));
  bank = await app.dept('Harbour Bank', unit);
  admin = await app.person('platformAdmin', app.root, 'manager');
  author = await app.person('regionMaintainer', unit);
  region = await app.person('regionMaintainer', unit);
  line = await app.person('productLineAdmin', { id: 2, path: '1.2.' });
  market = await app.person('marketAdmin', { id: 2, path: '1.2.' });
  customer = await app.person('orgManager', bank, 'manager');
  productId = await makeProduct(app, { id: 2, path: '1.2.' });
  packageId = await makePackage(app, await app.person('platformAdmin', app.root), { id: 1, path: '1.' }, productId, '2.0');
  await admin.call(auditConfigCalls.add, { deptId: 2, taskType: '1', enabled: true });
});
afterAll(() => app.stop());
let devices: string[] = [];
beforeEach(async () => {
  await app.context.unscoped((db) => sql`update device set status = '4'`.execute(db));
  devices = sns(3);
  await makeDevices(app, bank, productId, devices);
});

const ringsOf = ([first = '', second = '']: readonly string[]) => [
  { sns: [first], openAt: 0 },
  { sns: [second], openAt: 0 },
  { share: 100 },
];
async function submit(more: object = {}): Promise<{ id: number; auditId: number }> {
  const task = await author.call(taskCalls.add, {
    name: 'Release 2.0',
    packageId,
    scope: { releaseScope: '2', sns: devices },
    delivery: { rings: ringsOf(devices), ...more },
    release: true,
  });
  expect(task.state).toBe('auditing');
  const { content } = await region.call(approvalCalls.page, { criteria: {} });
  return { id: task.id, auditId: content.find((one) => one.taskId === task.id)?.id ?? 0 };
}
const pass = (taskAuditId: number, auditStep: string) => ({ taskAuditId, auditStep, decision: '0' as const, comment: '' });
const approve = async (id: number, stage: 1 | 2 | 3) => {
  await region.call(approvalCalls.confirm, pass(id, `${stage}1`));
  await line.call(approvalCalls.auditResult, pass(id, `${stage}2`));
  await market.call(approvalCalls.auditResult, pass(id, `${stage}3`));
};

test('the customer is asked for the result though nobody knows at first whose terminals they are; the region isn’t', async () => {
  const { auditId } = await submit();
  await app.runJobs();
  await approve(auditId, 1);
  const since = new Date();
  const asked = async () => {
    await app.runJobs();
    const { rows } = await app.context.unscoped((db) =>
      sql<{ id: number }>`select u.user_id as id from message_delivery u join message_message m on m.id = u.message_id
        where m.link like ${`%/process/%/${auditId}`} and m.created_at > ${since} order by u.user_id`.execute(db),
    );
    return rows.map((row) => row.id);
  };
  expect(await asked()).toEqual([]);
  await settle();
  await expect.poll(asked).toEqual([customer.userId]);
});
