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

const forget = () => asOwner(app.url, (client) => client.query('delete from graphile_worker._private_jobs'));
/** A job that goes on until it is let go. */
function held(name: string, begun: string[]) {
  let letGo: () => void = () => {};
  const open = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const made = job({
    name,
    payload: any,
    async run() {
      begun.push(name);
      await open;
    },
  });
  return { job: made, letGo: () => letGo() };
}

test('codes come before what was asked for earlier, each runner keeps to the turns, and what is about the same row waits once', async () => {
  const done: string[] = [];
  const noting = (name: string) => job({ name, payload: any, run: async (_ctx, { n }) => void done.push(`${name} ${n}`) });
  const names = ['work:export', 'file:assemble', 'message:deliver', 'auth:send-code'];
  for (const name of names) for (const n of [1, 2]) await queue(name, n);
  for (let at = 0; at < 3; at += 1) await queue('file:blob', 1);
  const stop = await startWorker(app.context, nobody, ['file:blob', ...names].map(noting));
  try {
    await expect.poll(() => done.length).toBe(9);
  } finally {
    await stop();
  }
  const turnsOf = (...of: string[]) => done.map((one) => one.split(' ')[0] ?? '').filter((one) => of.includes(one));
  // Two are under way at once: of the second message and the first file either may end first.
  expect([
    ['message:deliver', 'message:deliver', 'file:assemble', 'file:assemble'],
    ['message:deliver', 'file:assemble', 'message:deliver', 'file:assemble'],
  ]).toContainEqual(turnsOf('message:deliver', 'file:assemble'));
  expect(turnsOf('work:export', 'file:blob')).toEqual(['work:export', 'work:export', 'file:blob']);
  const soon = done.filter((one) => !one.startsWith('work:') && !one.startsWith('file:blob'));
  expect(soon.slice(0, 4).filter((one) => one.startsWith('auth:'))).toHaveLength(2);
});

test('a code is sent while long jobs occupy every other runner', async () => {
  const begun: string[] = [];
  const [bulk, late] = [held('device.bulk', begun), held('work:export', begun)];
  const code = job({ name: 'mail:send-sealed', payload: any, run: async () => void begun.push('code') });
  const stop = await startWorker(app.context, nobody, [bulk.job, late.job, code]);
  try {
    for (const n of [1, 2, 3]) for (const name of ['device.bulk', 'work:export']) await queue(name, n);
    await expect.poll(() => [...begun].sort()).toEqual(['device.bulk', 'device.bulk', 'work:export']);
    await queue('mail:send-sealed', 1);
    await expect.poll(() => begun.slice(3)).toEqual(['code']);
  } finally {
    for (const one of [bulk, late]) one.letGo();
    await stop();
    await forget();
  }
});

test.each([
  ['exports', 'work:export'],
  ['files of many rows', 'device:import'],
])('%s that take long keep nobody’s uploads, messages and mails waiting', async (_, slow) => {
  const begun: string[] = [];
  const late = held(slow, begun);
  const names = ['approval:ask', 'file:assemble', 'mail:send', 'message:deliver', 'rollout.followDevices'];
  const others = names.map((name) => job({ name, payload: any, run: async () => void begun.push(name) }));
  const stop = await startWorker(app.context, nobody, [late.job, ...others]);
  try {
    for (const n of [1, 2, 3]) await queue(slow, n);
    await expect.poll(() => begun).toEqual([slow]);
    for (const name of names) await queue(name, 1);
    await expect.poll(() => begun.slice(1).sort()).toEqual(names);
  } finally {
    late.letGo();
    await stop();
    await forget();
  }
});

test('what can wait has its turn at last, also beside somebody who always has bulk actions waiting', async () => {
  const begun: string[] = [];
  const bulk = held('device.bulk', begun);
  for (const n of [1, 2, 3]) await queue('device.bulk', n);
  await queue('file:blob', 1);
  const blob = job({ name: 'file:blob', payload: any, run: async () => void begun.push('blob') });
  const stop = await startWorker(app.context, nobody, [bulk.job, blob]);
  try {
    await expect.poll(() => [...begun].sort()).toEqual(['blob', 'device.bulk', 'device.bulk']);
  } finally {
    bulk.letGo();
    await stop();
    await forget();
  }
});

test('all runners listen on one connection, and hear again when it breaks', async () => {
  const done: string[] = [];
  const all = ['mail:send', 'mail:send-sealed', 'work:export'].map((name) =>
    job({ name, payload: any, run: async (_ctx, { n }) => void done.push(`${name} ${n}`) }),
  );
  const listening = async () =>
    (
      await asOwner(app.url, (client) =>
        client.query(`select pid from pg_stat_activity where datname = current_database() and query like 'LISTEN "jobs:insert"%'`),
      )
    ).rows.map((row) => row.pid as number);
  const stop = await startWorker(app.context, nobody, all);
  try {
    await expect.poll(listening).toHaveLength(1);
    const [before] = await listening();
    for (const { name } of all) await queue(name, 1);
    await expect.poll(() => done.length).toBe(3);
    await asOwner(app.url, (client) => client.query('select pg_terminate_backend($1)', [before]));
    await expect.poll(async () => (await listening()).filter((pid) => pid !== before)).toHaveLength(1);
    for (const { name } of all) await queue(name, 2);
    await expect.poll(() => done.length).toBe(6);
  } finally {
    await stop();
  }
  expect(await listening()).toEqual([]);
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
