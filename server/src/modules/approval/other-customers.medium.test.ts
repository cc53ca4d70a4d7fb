import { approvalCalls } from '@mooring/contract/approval/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { approvalEmailCalls } from '@mooring/contract/approval/email-calls';
import type { TaskScope } from '@mooring/contract/engines/rollout/schemas';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import type { Call } from '@mooring/contract/kit/call';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { makeDevices, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, clientOf, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { makeMerchant } from '../merchant/merchant.factory.ts';
import { addDept, type DeptAt } from '../org/api.ts';
import { auditExporter } from './audit-exporter.ts';
import { targetsOf } from './named.ts';
import { hashOfSign } from './tell.ts';

let app: TestApp;
let region: Client;
let customer: Client;
let auditId = 0;
const own = ['SN000001', 'SN000002'];
const theirs = ['SN900001', 'SN900002'];
const SAID = 'secret of the rival';
const SIGN = 'a-sign-that-was-mailed-to-the-customer';
const secrets = [...theirs, 'Rival Bank', SAID, 'tag-of-rival'];
let person = '';
let packageId = 0;
let author: Client;
const { settle } = releasing(
  () => app,
  () => author,
  () => packageId,
);

const pass = (auditStep: string, comment = '') => ({ taskAuditId: auditId, auditStep, decision: '0' as const, comment });

beforeAll(async () => {
  app = await testApp();
  const line = { id: 2, path: '1.2.' };
  const unit: DeptAt = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region North', parent: line }));
  const bank = await app.dept('Harbour Bank', unit);
  const rival = await app.dept('Rival Bank', unit);
  const admin = await app.person('platformAdmin', app.root, 'manager');
  author = await app.person('regionMaintainer', unit);
  region = await app.person('regionMaintainer', unit);
  customer = await app.person('orgManager', bank, 'manager');
  const rivals = await app.person('orgManager', rival, 'manager');
  const { rows } = await app.context.unscoped((db) =>
    sql<{ name: string }>`update account_user set name = 'Rita Rival' where id = ${rivals.userId} returning name`.execute(db),
  );
  person = rows[0]?.name ?? '';
  const productId = await makeProduct(app, line);
  packageId = await makePackage(app, await app.person('platformAdmin', app.root), app.root, productId, '2.0');
  await makeDevices(app, bank, productId, own);
  await makeDevices(app, rival, productId, theirs);
  await admin.call(auditConfigCalls.add, { deptId: 2, taskType: '1', enabled: true });
  const { id } = await author.call(taskCalls.add, {
    name: 'Release 2.0',
    packageId,
    scope: { releaseScope: '2', sns: [...own, ...theirs] },
    delivery: {
      rings: [
        { sns: [own[0] ?? '', theirs[0] ?? ''], openAt: 0 },
        { deptIds: [bank.id, rival.id], tags: ['tag-of-rival'], openAt: 0 },
        { share: 100 },
      ],
    },
    release: true,
  });
  const { content } = await region.call(approvalCalls.page, { criteria: {} });
  auditId = content.find((one) => one.taskId === id)?.id ?? 0;
  await region.call(approvalCalls.confirm, pass('11'));
  await (await app.person('productLineAdmin', line)).call(approvalCalls.auditResult, pass('12'));
  await (await app.person('marketAdmin', line)).call(approvalCalls.auditResult, pass('13'));
  await settle();
  await rivals.call(approvalCalls.resultConfirm, pass('14', SAID));
  await app.context.unscoped((db) =>
    sql`insert into approval_sign (sign_hash, audit_id, user_id, step, content_hash, expires_at, dept_path)
      select ${hashOfSign(SIGN)}, id, ${customer.userId}, step, content_hash, ${app.clock.now}::timestamptz + interval '1 day', dept_path
      from approval_audit where id = ${auditId}`.execute(db),
  );
});
afterAll(() => app.stop());

const counts = { sns: 0, depts: 0, groups: 0, merchants: 0, tags: 0, releases: 0 };

test('of two customers of one release neither learns who the other is from any answer in the console', async () => {
  const { page, baseInfo, detailInfo, deviceList, result, configByTask } = approvalCalls;
  const reads = { baseInfo, detailInfo, deviceList, result, configByTask };
  const answers = [await customer.send(page, { criteria: {} })];
  for (const call of Object.values(reads)) answers.push(await customer.send(call, { taskAuditId: auditId }));
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 200));
  const text = JSON.stringify(answers);
  expect([...secrets, person].filter((one) => text.includes(one))).toEqual([]);
  expect(await customer.call(detailInfo, { taskAuditId: auditId })).toMatchObject({
    targets: own,
    others: { ...counts, sns: 2 },
    rings: [
      { named: [own[0]], others: { ...counts, sns: 1 } },
      { named: ['Harbour Bank'], others: { ...counts, depts: 1, tags: 1 } },
      { named: [], others: counts },
    ],
  });
});

test('nor by a link that was mailed', async () => {
  const nobody = clientOf(app.http, '', 0, 'centre', 0);
  const { auditResult: _decides, file: _opens, ...reads } = approvalEmailCalls;
  const signed = { taskAuditId: auditId, auditUserId: customer.userId, sign: SIGN };
  const answers = [];
  for (const call of Object.values(reads)) answers.push(await nobody.send(call, signed));
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 200));
  const text = JSON.stringify(answers);
  expect([...secrets, person].filter((one) => text.includes(one))).toEqual([]);
  expect(text).toContain(own[0]);
});

test('whose release it is sees all of it', async () => {
  const text = JSON.stringify([
    await region.call(approvalCalls.detailInfo, { taskAuditId: auditId }),
    await region.call(approvalCalls.result, { taskAuditId: auditId }),
  ]);
  expect([...secrets, person].filter((one) => !text.includes(one))).toEqual([]);
});

/** What an export of all columns holds, as its file has it. */
async function exported(client: Client): Promise<string> {
  const columns = Object.keys(auditExporter.columns);
  const { work } = await client.call(approvalCalls.export, { criteria: {}, format: 'csv', columns });
  await app.runJobs();
  const { url } = await client.call(backgroundJobCalls.download, { id: work });
  return (await app.http.inject({ url: `/ops${url}` })).payload;
}

test('nor by what a call that writes answers, done or refused, nor by an export', async () => {
  const text = await exported(customer);
  expect(text).toContain('Release 2.0');
  expect([...secrets, person].filter((one) => text.includes(one))).toEqual([]);

  const writes = Object.entries(approvalCalls).filter(([name, call]) => !('reads' in call && call.reads) && name !== 'export');
  // The one that is theirs to make comes last: it ends their step.
  writes.sort(([a], [b]) => Number(a === 'resultConfirm') - Number(b === 'resultConfirm'));
  const said: unknown[] = [];
  const done: string[] = [];
  const stands = await app.context.unscoped((db) =>
    db.selectFrom('approval_audit').selectAll().where('id', '=', auditId).executeTakeFirstOrThrow(),
  );
  for (const [name, call] of writes) {
    // As if it hadn't been returned for a change just now.
    const { step, result, step_at } = stands;
    await app.context.unscoped((db) => db.updateTable('approval_audit').set({ step, result, step_at }).where('id', '=', auditId).execute());
    const { taskAuditId, ...rest } = pass('14');
    const known = (call.input as unknown as z.ZodObject).shape;
    const input = Object.fromEntries(Object.entries({ taskAuditId, ...rest }).filter(([key]) => key in known));
    const answer = await customer.send(call as Call, input);
    if (answer.code === 200) done.push(name);
    expect([name, answer.body?.fault]).not.toEqual([name, 'BAD_INPUT']);
    said.push(answer);
  }
  const signed = {
    taskAuditId: auditId,
    auditUserId: customer.userId,
    sign: SIGN,
    decision: '0',
    contentHash: 'x'.repeat(64),
    comment: '',
  };
  said.push(await clientOf(app.http, '', 0, 'centre', 0).send(approvalEmailCalls.auditResult, signed));
  expect(done).toEqual(['returnToUpdate', 'resultConfirm']);
  expect([...secrets, person].filter((one) => JSON.stringify(said).includes(one))).toEqual([]);
  const after = await exported(customer);
  expect([...secrets, person].filter((one) => after.includes(one))).toEqual([]);
});

test('of merchants that are targets whose release it is knows all, and a customer its own', async () => {
  const admin = await app.person('platformAdmin', app.root);
  const [mine, rivals] = [await app.dept('Mine'), await app.dept('Rivals')];
  const merchantIds = [
    (await makeMerchant(admin, rivals.id, { name: 'Rival Hotel' })).id,
    (await makeMerchant(admin, mine.id, { name: 'Own Bakery' })).id,
  ];
  const scope: TaskScope = { releaseScope: '1', deptIds: [], firmware: [], tags: [], updatedBy: null, merchantIds };
  const asked = (path: string, owns: boolean) => app.context.unscoped((db) => targetsOf(db, { path, owns }, scope));
  expect(await asked(app.root.path, true)).toEqual({ targets: ['Own Bakery', 'Rival Hotel'], others: counts });
  expect(await asked(mine.path, false)).toEqual({ targets: ['Own Bakery'], others: { ...counts, merchants: 1 } });
});
