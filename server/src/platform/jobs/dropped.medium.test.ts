import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { fileCalls } from '@mooring/contract/file/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFile } from '../../../test/firmware.ts';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { asOwner } from '../../../test/test-server.ts';
import { MOST_OPEN } from '../work/work.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped((db) => query.execute(db));
const ask = (client: Client) => client.send(deviceCalls.export, { criteria: {}, format: 'csv', columns: ['sn'] });
const worksOf = async ({ userId }: Client) =>
  (
    await run(
      sql<{ id: number; state: string; reason: string | null }>`select id, state, reason from work where user_id = ${userId} order by id`,
    )
  ).rows;
const disable = ({ userId }: Client) => run(sql`update account_user set state = '1' where id = ${userId}`);

test('who was moved to another unit while exports waited may have exports again, and theirs have ended with the reason', async () => {
  const [here, there] = [await app.dept('Here'), await app.dept('There')];
  const person = await app.person('orgManager', here);
  for (let at = 0; at < MOST_OPEN; at += 1) expect((await ask(person)).body).toHaveProperty('work');
  await run(sql`update account_user set dept_id = ${there.id}, dept_path = ${there.path} where id = ${person.userId}`);
  await app.runJobs();
  const works = await worksOf(person);
  expect(works).toHaveLength(MOST_OPEN);
  for (const work of works) expect(work).toMatchObject({ state: 'failed', reason: 'WORK_DROPPED' });
  const changes = await run(sql<{ n: number }>`select count(*)::int as n from state_change where life = 'work' and event = 'fail'`);
  expect(changes.rows[0]?.n).toBe(MOST_OPEN);
  // The call answers whether they act for the old unit still or not; what counts is that no count shuts them out.
  expect((await ask(person)).body?.fault).not.toBe('WORK_FULL');
});

test('what somebody asked for who was disabled since ends too', async () => {
  const person = await app.person('orgManager', await app.dept('Gone'));
  await ask(person);
  await disable(person);
  await app.runJobs();
  expect(await worksOf(person)).toMatchObject([{ state: 'failed', reason: 'WORK_DROPPED' }]);
});

test('open background jobs that nothing in the queue stands for are ended within the hour, the others are left', async () => {
  const person = await app.person('orgManager', await app.dept('Lost'));
  for (let at = 0; at < 3; at += 1) await ask(person);
  const [gone, tired, waits] = (await worksOf(person)).map((one) => one.id);
  await asOwner(app.url, async (client) => {
    await client.query(`delete from graphile_worker._private_jobs where key = $1`, [`work:${gone}`]);
    await client.query(`update graphile_worker._private_jobs set attempts = max_attempts where key = $1`, [`work:${tired}`]);
    // It stands in the queue, but its turn hasn't come.
    await client.query(`update graphile_worker._private_jobs set run_at = now() + interval '1 day' where key = $1`, [`work:${waits}`]);
  });
  await app.context.unscoped((db) => app.context.enqueue(db, 'work:expire', {}));
  await app.runJobs();
  expect((await worksOf(person)).map(({ state, reason }) => [state, reason])).toEqual([
    ['failed', 'WORK_LOST'],
    ['failed', 'WORK_LOST'],
    ['waiting', null],
  ]);
  const { content } = await person.call(backgroundJobCalls.page, { criteria: { state: 'failed' } });
  for (const one of content) expect(one.allowedActions).toContain('retry');
});

test('bytes that one person left are deleted although another, who was disabled since, left the same afterwards', async () => {
  const dept = await app.dept('Two');
  const [stays, goes] = [await app.person('orgManager', dept), await app.person('orgManager', dept)];
  const bytes = randomBytes(5000);
  const sha = createHash('sha256').update(bytes).digest('hex');
  const blob = join(app.dataDir, 'blobs', sha.slice(0, 2), sha);
  const [first, second] = [await makeFile(app, stays, dept, bytes), await makeFile(app, goes, dept, bytes)];
  await stays.call(fileCalls.delete, { id: first });
  await goes.call(fileCalls.delete, { id: second });
  await disable(goes);
  expect(existsSync(blob)).toBe(true);
  await app.runJobs();
  expect(existsSync(blob)).toBe(false);
});
