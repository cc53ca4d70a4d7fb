import { approvalCalls } from '@mooring/contract/approval/calls';
import { auditConfigCalls } from '@mooring/contract/approval/config-calls';
import { MOST_APPROVAL_FILES } from '@mooring/contract/engines/approval/schemas';
import { fileCalls } from '@mooring/contract/file/calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { networkConfigCalls } from '@mooring/contract/network-config/calls';
import { deptCalls } from '@mooring/contract/org/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeDevices, makeFile, makePackage, makeProduct } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { releasing } from '../../engines/rollout/release.factory.ts';
import { direct } from '../file/upload.factory.ts';
import { addDept, type DeptAt } from '../org/api.ts';

/** What is given with an act on an approval: who may give it, who reads it, and how long it stays. */
let app: TestApp;
let unit: DeptAt;
let bank: DeptAt;
let rival: DeptAt;
let author: Client;
let region: Client;
let line: Client;
let market: Client;
let customer: Client;
let rivals: Client;
let outsider: Client;
let productId = 0;
let packageId = 0;
let devices: string[] = [];
let serial = 0;
const { settle, sns } = releasing(
  () => app,
  () => author,
  () => packageId,
);
beforeAll(async () => {
  app = await testApp();
  const above = { id: 2, path: '1.2.' };
  unit = await app.context.unscoped((db) => addDept(db, { kind: 'businessUnit', name: 'Region North', parent: above }));
  [bank, rival] = [await app.dept('Harbour Bank', unit), await app.dept('Rival Bank', unit)];
  const admin = await app.person('platformAdmin', app.root, 'manager');
  [author, region] = [await app.person('regionMaintainer', unit), await app.person('regionMaintainer', unit)];
  [line, market] = [await app.person('productLineAdmin', above), await app.person('marketAdmin', above)];
  [customer, rivals] = [await app.person('orgManager', bank, 'manager'), await app.person('orgManager', rival, 'manager')];
  outsider = await app.person('regionMaintainer', await app.dept('Region South', above));
  productId = await makeProduct(app, above);
  packageId = await makePackage(app, await app.person('platformAdmin', app.root), app.root, productId, '2.0');
  await admin.call(auditConfigCalls.add, { deptId: 2, taskType: '1', enabled: true });
});
afterAll(() => app.stop());
beforeEach(async () => {
  await app.context.unscoped((db) => sql`update device set status = '4'`.execute(db));
  devices = sns(2);
  await makeDevices(app, bank, productId, devices.slice(0, 1));
  await makeDevices(app, rival, productId, devices.slice(1));
});

const bytesOf = (words: string) => Buffer.from(`${words} ${serial}`);
/** As a person uploads it. */
async function uploaded(who: Client, words: string, name = 'report.pdf'): Promise<number> {
  serial += 1;
  const { body } = await direct(app.http, who, { type: '8', name, bytes: bytesOf(words) });
  if (!body?.id) throw new Error(`not taken: ${name}`);
  return body.id;
}
async function drafted(): Promise<number> {
  const rings = [{ sns: devices, openAt: 0 }, { share: 50 }, {}];
  const scope = { releaseScope: '2' as const, sns: devices };
  return (await author.call(taskCalls.add, { name: `Release ${serial}`, packageId, scope, delivery: { rings } })).id;
}
/** Handed in, with these files. */
async function handedIn(files: number[] = [], comment = ''): Promise<{ id: number; taskAuditId: number }> {
  const id = await drafted();
  await author.call(taskCalls.submit, { id, comment, files });
  const { content } = await region.call(approvalCalls.page, { criteria: {} });
  return { id, taskAuditId: content.find((one) => one.taskId === id)?.id ?? 0 };
}
const pass = (taskAuditId: number, auditStep: string, files: number[] = [], comment = '') => ({
  ...{ taskAuditId, auditStep, files, comment },
  decision: '0' as const,
});
const toResult = async (taskAuditId: number) => {
  await region.call(approvalCalls.confirm, pass(taskAuditId, '11'));
  await line.call(approvalCalls.auditResult, pass(taskAuditId, '12'));
  await market.call(approvalCalls.auditResult, pass(taskAuditId, '13'));
  await settle();
};
const asks = async (who: Client, id: number) => (await who.send(fileCalls.getSecurityToken, { id })).code;
const reads = async (who: Client, id: number) => {
  const { url } = await who.call(fileCalls.getSecurityToken, { id });
  const { headers, rawPayload } = await app.http.inject({ method: 'GET', url: `/ops${url}` });
  return { bytes: rawPayload.toString(), type: headers['content-type'] };
};
const linesOf = async (who: Client, taskAuditId: number) =>
  (await who.call(approvalCalls.result, { taskAuditId })).map(({ event, comment, files }) => [
    event,
    comment,
    files.map(({ name }) => name),
  ]);
const faultOf = async (answer: ReturnType<Client['send']>) => (await answer).body?.fault;

test('what is given with a hand-in, a decision and a return stands in its line, byte for byte, for whoever sees the approval', async () => {
  const plan = await uploaded(author, 'plan', 'change plan.pdf');
  const planned = bytesOf('plan').toString();
  const { taskAuditId } = await handedIn([plan], 'Please look');
  const [shot, log] = [await uploaded(region, 'shot', 'screen.txt'), await uploaded(region, 'log', 'run.log')];
  await region.call(approvalCalls.confirm, pass(taskAuditId, '11', [shot, log], 'Tried'));
  const why = await uploaded(line, 'why', 'why.docx');
  await line.call(approvalCalls.returnToUpdate, { taskAuditId, comment: 'Slower', files: [why] });
  expect(await linesOf(market, taskAuditId)).toEqual([
    ['apply', 'Please look', ['change plan.pdf']],
    ['confirm', 'Tried', ['screen.txt', 'run.log']],
    ['return', 'Slower', ['why.docx']],
  ]);
  for (const who of [author, region, line, market])
    expect(await reads(who, plan)).toEqual({ bytes: planned, type: 'application/octet-stream' });
  expect(await asks(outsider, plan)).toBe(404);
  // Whose terminals it hasn't reached learns of no approval.
  expect(await asks(customer, plan)).toBe(404);
  const { rows } = await app.context.unscoped((db) =>
    sql<{ after: { files?: string[] } }>`select after from audit_entry where call like '%/audit/confirm' order by id desc limit 1`.execute(
      db,
    ),
  );
  expect(rows[0]?.after.files).toEqual(['screen.txt', 'run.log']);
});

test('of two customers of one release neither reads what the other gave', async () => {
  const plan = await uploaded(author, 'plan');
  const { taskAuditId } = await handedIn([plan]);
  await toResult(taskAuditId);
  const secret = await uploaded(rivals, 'secret', 'takings.csv');
  await rivals.call(approvalCalls.resultConfirm, pass(taskAuditId, '14', [secret], 'Well'));
  expect([await asks(customer, plan), await asks(rivals, plan)]).toEqual([200, 200]);
  expect([await asks(customer, secret), await asks(rivals, secret), await asks(line, secret)]).toEqual([404, 200, 200]);
  expect(JSON.stringify(await customer.call(approvalCalls.result, { taskAuditId }))).not.toContain('takings');
});

test('no file is given that isn’t an own attachment: of another person, organisation or kind, gone, or too many', async () => {
  const { taskAuditId } = await handedIn();
  const own = await uploaded(region, 'own');
  const firmware = await makeFile(app, region, unit);
  const gone = await uploaded(region, 'gone');
  await region.call(fileCalls.delete, { id: gone });
  const exported = await makeFile(app, region, unit);
  await app.context.unscoped((db) =>
    db
      .updateTable('file_file')
      .set({ kind: '8', expires_at: new Date(app.clock.now.getTime() + 3_600_000) })
      .where('id', '=', exported)
      .execute(),
  );
  const wrong: readonly (readonly [number, string])[] = [
    [await uploaded(author, 'of a colleague'), 'NOT_FOUND'],
    [await uploaded(outsider, 'of another organisation'), 'NOT_FOUND'],
    [firmware, 'FILE_KIND_REFUSED'],
    [gone, 'NOT_FOUND'],
    [exported, 'NOT_FOUND'],
    [987_654_321, 'NOT_FOUND'],
  ];
  for (const [id, fault] of wrong)
    expect(await faultOf(region.send(approvalCalls.confirm, pass(taskAuditId, '11', [own, id]))), String(id)).toBe(fault);
  const many = Array.from({ length: MOST_APPROVAL_FILES + 1 }, (_, no) => own + no);
  expect(await faultOf(region.send(approvalCalls.confirm, pass(taskAuditId, '11', many)))).toBe('BAD_INPUT');
  const draft = await drafted();
  expect(await faultOf(author.send(taskCalls.submit, { id: draft, files: [own] }))).toBe('NOT_FOUND');
  expect((await author.call(taskCalls.detail, { id: draft })).state).toBe('draft');
  expect(await linesOf(line, taskAuditId)).toEqual([['apply', '', []]]);
  // Twice the same one is one.
  await region.call(approvalCalls.confirm, pass(taskAuditId, '11', [own, own]));
  expect(await linesOf(line, taskAuditId)).toEqual([
    ['apply', '', []],
    ['confirm', '', ['report.pdf']],
  ]);
});

test.each([
  ['html', '<!doctype html><script>parent.alert(1)</script>'],
  ['svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="parent.alert(1)"/>'],
])('markup is taken under no name of its own, and is a download under another: %s', async (extension, text) => {
  const refused = await direct(app.http, region, { type: '8', name: `page.${extension}`, bytes: Buffer.from(text) });
  expect([refused.code, refused.body?.fault]).toEqual([400, 'FILE_KIND_REFUSED']);
  const { body } = await direct(app.http, region, { type: '8', name: 'notes.txt', bytes: Buffer.from(text) });
  const { taskAuditId } = await handedIn();
  await region.call(approvalCalls.confirm, pass(taskAuditId, '11', [body?.id ?? 0]));
  const { url } = await line.call(fileCalls.getSecurityToken, { id: body?.id ?? 0 });
  const { headers } = await app.http.inject({ method: 'GET', url: `/ops${url}` });
  expect([headers['content-type'], headers['x-content-type-options'], headers['content-disposition']]).toEqual([
    'application/octet-stream',
    'nosniff',
    "attachment; filename*=UTF-8''notes.txt",
  ]);
});

test('what was given is final: who brought it can’t delete it, and no later act takes it out', async () => {
  const plan = await uploaded(author, 'plan');
  const { taskAuditId } = await handedIn([plan]);
  expect(await faultOf(author.send(fileCalls.delete, { id: plan }))).toBe('FILE_IN_USE');
  await author.call(approvalCalls.returnToUpdate, { taskAuditId, comment: 'Mine' });
  expect((await linesOf(line, taskAuditId))[0]).toEqual(['apply', '', ['report.pdf']]);
  // The same may be given again, and stands in both lines.
  const { taskAuditId: second } = await handedIn([plan]);
  expect((await linesOf(line, second))[0]).toEqual(['apply', '', ['report.pdf']]);
});

test('who has lost the right reads no file any more', async () => {
  const plan = await uploaded(author, 'plan');
  await handedIn([plan]);
  const leaving = await app.person('regionMaintainer', unit);
  expect(await asks(leaving, plan)).toBe(200);
  await app.context.unscoped((db) => sql`delete from access_user_role where user_id = ${leaving.userId}`.execute(db));
  expect(await asks(leaving, plan)).not.toBe(200);
});

test('a release that is deleted lets go of what was given, unless something else names it', async () => {
  const [plan, shared] = [await uploaded(author, 'plan'), await uploaded(author, 'shared')];
  const { taskAuditId: other } = await handedIn([shared]);
  const { id, taskAuditId } = await handedIn([plan, shared]);
  await region.call(approvalCalls.returnToUpdate, { taskAuditId, comment: 'No' });
  await author.call(taskCalls.delete, { id });
  expect(await asks(line, plan)).toBe(404);
  // It goes when whoever fetches it now is through with it.
  const queued = await app.context.pools.owner.query<{ id: number }>(
    `select (j.payload -> 'payload' ->> 'id')::int as id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'file:free' and j.run_at > now()`,
  );
  expect(queued.rows.map((row) => row.id)).toEqual([plan, shared]);
  app.clock.now = new Date(app.clock.now.getTime() + 4 * 86_400_000);
  for (const row of queued.rows) await app.context.unscoped((db) => app.context.enqueue(db, 'file:free', row));
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{ id: number }>`select id from file_file where id in (${plan}, ${shared})`.execute(db),
  );
  expect(rows).toEqual([{ id: shared }]);
  expect((await linesOf(line, other))[0]).toEqual(['apply', '', ['report.pdf']]);
});

test('what is said or given where no approval is needed is refused, and isn’t lost without a word', async () => {
  const own = await app.person('platformAdmin', app.root);
  const [plan, foreign] = [await uploaded(own, 'plan'), await uploaded(author, 'foreign')];
  const written = { packageId, scope: { releaseScope: '2' as const, sns: devices } };
  const { id } = await own.call(taskCalls.add, { name: 'Free', ...written });
  for (const given of [{ files: [plan] }, { files: [foreign] }, { comment: 'Look' }]) {
    expect(await faultOf(own.send(taskCalls.submit, { id, ...given }))).toBe('APPROVAL_NOT_ASKED');
    expect(await faultOf(own.send(taskCalls.enable, { id, ...given }))).toBe('APPROVAL_NOT_ASKED');
    for (const release of [true, false])
      expect(await faultOf(own.send(taskCalls.add, { name: 'Free too', ...written, release, ...given }))).toBe('APPROVAL_NOT_ASKED');
  }
  // Of kinds that are never approved no call takes any.
  const asked = own.send(networkConfigCalls.submit, { id, files: [plan] } as never);
  expect(await faultOf(asked)).toBe('BAD_INPUT');
  expect((await own.call(taskCalls.detail, { id })).state).toBe('draft');
});

test('created and released at once, or enabled, a release is handed in with what is said and given', async () => {
  const [plan, notes] = [await uploaded(author, 'plan', 'plan.pdf'), await uploaded(author, 'notes', 'notes.txt')];
  const rings = [{ sns: devices, openAt: 0 }, { share: 50 }, {}];
  const scope = { releaseScope: '2' as const, sns: devices };
  const written = { name: 'At once', packageId, scope, delivery: { rings } };
  const { id: atOnce } = await author.call(taskCalls.add, { ...written, release: true, comment: 'Look', files: [plan] });
  const enabled = await drafted();
  await author.call(taskCalls.enable, { id: enabled, comment: 'Do', files: [notes] });
  const { content } = await region.call(approvalCalls.page, { criteria: {} });
  const of = (id: number) => linesOf(line, content.find((one) => one.taskId === id)?.id ?? 0);
  expect([await of(atOnce), await of(enabled)]).toEqual([[['apply', 'Look', ['plan.pdf']]], [['apply', 'Do', ['notes.txt']]]]);
});

test('an organisation that moves goes on seeing what it gave, and where it was nobody sees more', async () => {
  const [moving, into] = [await app.dept('Moving Bank', unit), await app.dept('New group', unit)];
  const theirs = await app.person('orgManager', moving, 'manager');
  const sn = sns(1);
  await makeDevices(app, moving, productId, sn);
  devices = [...devices, ...sn];
  const { taskAuditId } = await handedIn();
  await toResult(taskAuditId);
  const proof = await uploaded(theirs, 'proof', 'proof.csv');
  await theirs.call(approvalCalls.resultConfirm, pass(taskAuditId, '14', [proof], 'Works'));
  const admin = await app.person('platformAdmin', app.root);
  await admin.call(deptCalls.move, { id: moving.id, parentId: into.id });
  await app.runJobs();
  const above = await app.person('orgManager', into, 'manager');
  expect([await asks(theirs, proof), await asks(above, proof), await asks(customer, proof)]).toEqual([200, 200, 404]);
  expect(JSON.stringify(await linesOf(above, taskAuditId))).toContain('proof.csv');
});

test('an organisation that is merged spoke for itself: the one that stays still says whether its own terminals are right', async () => {
  const [gone, stays] = [await app.dept('Gone Bank', unit), await app.dept('Staying Bank', unit)];
  const [theirs, staying] = [await app.person('orgManager', gone, 'manager'), await app.person('orgManager', stays, 'manager')];
  const own = sns(2);
  await makeDevices(app, gone, productId, own.slice(0, 1));
  await makeDevices(app, stays, productId, own.slice(1));
  devices = [...devices, ...own];
  const { taskAuditId } = await handedIn();
  await toResult(taskAuditId);
  for (const who of [theirs, customer, rivals]) await who.call(approvalCalls.resultConfirm, pass(taskAuditId, '14'));
  const admin = await app.person('platformAdmin', app.root);
  await admin.call(deptCalls.merge, { id: gone.id, into: stays.id });
  await app.runJobs();
  const step = async () => (await line.call(approvalCalls.baseInfo, { taskAuditId })).step;
  expect(await step()).toBe('14');
  await staying.call(approvalCalls.resultConfirm, pass(taskAuditId, '14'));
  expect(await step()).toBe('15');
});
