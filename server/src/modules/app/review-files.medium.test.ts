import { appVersionCalls } from '@mooring/contract/app/calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeProduct, settlePublished } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { direct } from '../file/upload.factory.ts';
import type { DeptAt } from '../org/api.ts';
import { becomeDeveloper, bring, describe as say } from './app.factory.ts';

/** What is given with the review of a version: in the history of its app, for its developers and reviewers alone. */
let app: TestApp;
let maker: DeptAt;
let developer: Client;
let reviewer: Client;
let subscriber: Client;
let outsider: Client;
let productId = 0;
let serial = 0;
beforeAll(async () => {
  app = await testApp();
  maker = await app.dept('Maker');
  developer = await app.person('developer', maker);
  reviewer = await app.person('reviewer', app.root);
  subscriber = await app.person('orgManager', await app.dept('Shop', maker));
  outsider = await app.person('orgManager', await app.dept('Other'));
  productId = await makeProduct(app, app.root);
  await becomeDeveloper(developer, reviewer);
});
afterAll(() => app.stop());

async function uploaded(who: Client, name: string): Promise<number> {
  serial += 1;
  const { body } = await direct(app.http, who, { type: '8', name, bytes: Buffer.from(`${name} ${serial}`) });
  return body?.id ?? 0;
}
async function draft() {
  serial += 1;
  const made = await bring(app, developer, maker, { packageName: `com.example.given${serial}`, versionName: `1.${serial}` });
  await say(developer, made, productId);
  return made;
}
const asks = async (who: Client, id: number) => (await who.send(fileCalls.getSecurityToken, { id })).code;
const history = async (who: Client, appId: number) =>
  (await who.call(appVersionCalls.history, { appId })).content.map(({ event, text, files }) => [
    event,
    text,
    files.map(({ name }) => name),
  ]);

test('a hand-in, a return and an approval keep what was given, and those the version is listed for learn nothing of it', async () => {
  const { id, appId } = await draft();
  const [report, why, proof] = [
    await uploaded(developer, 'report.pdf'),
    await uploaded(reviewer, 'why.png.txt'),
    await uploaded(reviewer, 'proof.zip'),
  ];
  let { contentHash } = await developer.call(appVersionCalls.submit, { id, comment: 'Tested', files: [report] });
  expect([await asks(reviewer, report), await asks(subscriber, report), await asks(outsider, report)]).toEqual([200, 404, 404]);
  await reviewer.call(appVersionCalls.reject, { id, contentHash, comment: 'Too loud', files: [why] });
  await say(developer, { id }, productId, { channel: 'release' });
  ({ contentHash } = await developer.call(appVersionCalls.submit, { id, files: [report] }));
  await reviewer.call(appVersionCalls.approve, { id, contentHash, marketId: app.root.id, comment: 'Fine', files: [proof] });
  await settlePublished(app);
  const end = await uploaded(reviewer, 'end.txt');
  await reviewer.call(appVersionCalls.delist, { id, comment: 'Over', files: [end] });
  const told = (await history(developer, appId)).filter(([event]) => ['submit', 'reject', 'approve', 'delist'].includes(String(event)));
  expect(told).toEqual([
    ['delist', 'Over', ['end.txt']],
    ['approve', 'Fine', ['proof.zip']],
    ['submit', '', ['report.pdf']],
    ['reject', 'Too loud', ['why.png.txt']],
    ['submit', 'Tested', ['report.pdf']],
  ]);
  for (const file of [report, why, proof, end]) expect([await asks(developer, file), await asks(reviewer, file)]).toEqual([200, 200]);
  for (const file of [report, why, proof, end]) expect([await asks(subscriber, file), await asks(outsider, file)]).toEqual([404, 404]);
});

test('only own attachments are given, and what was given leaves with its version', async () => {
  const { id } = await draft();
  const foreign = await uploaded(reviewer, 'foreign.txt');
  const code = async (files: number[]) => (await developer.send(appVersionCalls.submit, { id, files })).body?.fault;
  expect(await code([foreign])).toBe('NOT_FOUND');
  const { rows } = await app.context.unscoped((db) =>
    sql<{ file_id: number }>`select file_id from app_version where id = ${id}`.execute(db),
  );
  expect(await code([rows[0]?.file_id ?? 0])).toBe('FILE_KIND_REFUSED');
  expect(await developer.call(appVersionCalls.detail, { id })).toMatchObject({ reviewState: '0' });
  const report = await uploaded(developer, 'report.pdf');
  const { contentHash } = await developer.call(appVersionCalls.submit, { id, files: [report] });
  expect((await developer.send(fileCalls.delete, { id: report })).body?.fault).toBe('FILE_IN_USE');
  await reviewer.call(appVersionCalls.reject, { id, contentHash, comment: 'No' });
  await developer.call(appVersionCalls.delete, { id });
  expect(await asks(reviewer, report)).toBe(404);
  const freed = await app.context.pools.owner.query(
    `select (j.payload -> 'payload' ->> 'id')::int as id from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'file:free'`,
  );
  expect(freed.rows).toEqual([{ id: report }]);
});

test('taking out a version that has no approval keeps what is given with it', async () => {
  const { id, appId } = await draft();
  const { contentHash } = await developer.call(appVersionCalls.submit, { id });
  await reviewer.call(appVersionCalls.approve, { id, contentHash, marketId: app.root.id });
  await settlePublished(app);
  await app.context.unscoped((db) => sql`delete from approval_audit where task_type = '4' and task_id = ${id}`.execute(db));
  const why = await uploaded(reviewer, 'why.txt');
  await reviewer.call(appVersionCalls.delist, { id, comment: 'Over', files: [why] });
  expect((await history(developer, appId)).find(([event]) => event === 'delist')).toEqual(['delist', 'Over', ['why.txt']]);
  expect([await asks(developer, why), await asks(outsider, why)]).toEqual([200, 404]);
});

test.each([
  ['sent it back', '3', '36'],
  ['approved it', '2', '34'],
  ['took it back', '0', '30'],
  ['took it out', '4', '51'],
])('what was given stays where a server of the version before %s', async (_what, state, step) => {
  const { id, appId } = await draft();
  const report = await uploaded(developer, 'report.pdf');
  await developer.call(appVersionCalls.submit, { id, comment: 'Tested', files: [report] });
  await app.context.unscoped((db) => sql`update app_version set review_state = ${state} where id = ${id}`.execute(db));
  await app.context.unscoped((db) => app.context.enqueue(db, 'app:followReviews', {}));
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql<{ step: string }>`select step from approval_audit where task_type = '4' and task_id = ${id}`.execute(db),
  );
  expect(rows).toEqual([{ step }]);
  expect((await history(developer, appId)).find(([event]) => event === 'submit')).toEqual(['submit', 'Tested', ['report.pdf']]);
  expect(await asks(reviewer, report)).toBe(200);
});

test('what was given stays where such a server handed in another content', async () => {
  const { id, appId } = await draft();
  const report = await uploaded(developer, 'report.pdf');
  await developer.call(appVersionCalls.submit, { id, comment: 'Tested', files: [report] });
  await app.context.unscoped((db) => sql`update app_version set content_hash = ${'a'.repeat(64)} where id = ${id}`.execute(db));
  await app.context.unscoped((db) => app.context.enqueue(db, 'app:followReviews', {}));
  await app.runJobs();
  const { rows } = await app.context.unscoped((db) =>
    sql`select step, content_hash from approval_audit where task_type = '4' and task_id = ${id}`.execute(db),
  );
  expect(rows).toEqual([{ step: '33', content_hash: 'a'.repeat(64) }]);
  expect((await history(developer, appId)).find(([event]) => event === 'submit')).toEqual(['submit', 'Tested', ['report.pdf']]);
});
