import { deviceCalls } from '@mooring/contract/device/calls';
import { backgroundJobCalls } from '@mooring/contract/file/background-job-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { asOwner } from '../../../test/test-server.ts';
import { makeModules } from '../../modules/modules.ts';
import type { Authenticator } from '../http/authenticator.ts';
import { job } from '../module.ts';
import { MOST_OPEN } from '../work/work.ts';
import { queuedJobs } from './queued-jobs.ts';
import { startWorker } from './worker.ts';

const nobody = { actorOf: async () => undefined, reachOf: async () => undefined } as unknown as Authenticator;
const any = z.object({ n: z.int() });

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root);
});
afterAll(() => app.stop());

const ask = (client: Client) => client.send(deviceCalls.export, { criteria: {}, format: 'csv', columns: ['sn'] });
const isBegun = ({ body }: { body: unknown }) => 'work' in (body as object);
const queue = (name: string, n: number) => app.context.unscoped((db) => app.context.enqueue(db, name, { n }));

test('every kind of job that an act can queue has a turn and a bound, and nothing else has', () => {
  const jobs = makeModules(app.context).modules.flatMap((module) => module.jobs ?? []);
  const asked = jobs.filter((one) => one.every === undefined).map((one) => one.name);
  expect(asked.sort()).toEqual(Object.keys(queuedJobs).sort());
});

test('codes come before the exports that were asked for earlier, and what is about the same row waits once', async () => {
  const done: string[] = [];
  const noting = (name: string) => job({ name, payload: any, run: async (_ctx, { n }) => void done.push(`${name} ${n}`) });
  const names = ['work:export', 'file:assemble', 'message:deliver', 'auth:send-code'];
  for (const name of names) for (const n of [1, 2]) await queue(name, n);
  for (let at = 0; at < 3; at += 1) await queue('file:blob', 1);
  const stop = await startWorker(app.context, nobody, ['file:blob', ...names].map(noting));
  try {
    await expect.poll(() => done.length, { timeout: 15_000 }).toBe(9);
  } finally {
    await stop();
  }
  expect(done.filter((one) => !one.startsWith('auth:')).map((one) => one.split(' ')[0])).toEqual([
    ...['message:deliver', 'message:deliver', 'file:assemble', 'file:assemble', 'work:export', 'work:export', 'file:blob'],
  ]);
  expect(done.slice(0, 4).filter((one) => one.startsWith('auth:'))).toHaveLength(2);
});

test('a code is sent while long jobs occupy every other runner', async () => {
  const begun: string[] = [];
  let finish: () => void = () => {};
  const open = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const long = job({
    name: 'work:export',
    payload: any,
    async run() {
      begun.push('export');
      await open;
    },
  });
  const code = job({ name: 'mail:send-sealed', payload: any, run: async () => void begun.push('code') });
  const stop = await startWorker(app.context, nobody, [long, code]);
  try {
    for (const n of [1, 2, 3]) await queue('work:export', n);
    await expect.poll(() => begun, { timeout: 15_000 }).toEqual(['export', 'export']);
    await queue('mail:send-sealed', 1);
    await expect.poll(() => begun, { timeout: 15_000 }).toEqual(['export', 'export', 'code']);
  } finally {
    finish();
    await stop();
    await asOwner(app.url, (client) => client.query('delete from graphile_worker._private_jobs'));
  }
});

test('a person has so many background jobs open at most, asked for side by side, for another unit or begun again', async () => {
  const answers = await Promise.all(Array.from({ length: MOST_OPEN + 5 }, () => ask(admin)));
  expect(answers.filter((one) => isBegun(one))).toHaveLength(MOST_OPEN);
  const refused = answers.filter((one) => !isBegun(one)).map((one) => one.body);
  expect(refused).toHaveLength(5);
  for (const body of refused) expect(body).toMatchObject({ fault: 'WORK_FULL' });
  expect(isBegun(await ask(await app.person('platformAdmin', app.root)))).toBe(true);

  // Begun for a unit that the person doesn't act for now.
  const page = await admin.call(backgroundJobCalls.page, { criteria: {}, page: { size: 50 } } as never);
  const [first, second] = page.content;
  await asOwner(app.url, (client) => client.query(`update work set dept_path = '9.' where id <> $1 and user_id <> 0`, [first?.id]));
  expect((await ask(admin)).body).toMatchObject({ fault: 'WORK_FULL' });
  await asOwner(app.url, (client) => client.query(`update work set dept_path = '1.'`));

  await admin.call(backgroundJobCalls.cancel, { id: first?.id ?? 0 });
  expect(isBegun(await ask(admin))).toBe(true);
  expect((await admin.send(backgroundJobCalls.retry, { id: first?.id ?? 0 })).body).toMatchObject({ fault: 'WORK_FULL' });
  await admin.call(backgroundJobCalls.cancel, { id: second?.id ?? 0 });
  expect(await admin.call(backgroundJobCalls.retry, { id: first?.id ?? 0 })).toMatchObject({ state: 'waiting' });
});
