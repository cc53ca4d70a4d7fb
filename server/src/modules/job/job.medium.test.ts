import { logCalls } from '@mooring/contract/audit-log/calls';
import { jobCalls, schedCalls } from '@mooring/contract/job/calls';
import { messageCalls } from '@mooring/contract/message/calls';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Client, type TestApp, testApp } from '../../../test/test-app.ts';
import { recordRun } from '../../platform/jobs/record-run.ts';
import { readSchedules } from '../../platform/jobs/schedules.ts';
import { showWorkersAlive } from '../../platform/jobs/workers-alive.ts';
import { job } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { makeModules } from '../modules.ts';
import { nameKey } from './watch.ts';

let app: TestApp;
let admin: Client;
beforeAll(async () => {
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
});
afterAll(() => app.stop());

const all = () => admin.call(jobCalls.page, { page: { size: 100 } }).then(({ content }) => content);
const byName = async (name: string) => {
  const found = (await all()).find((one) => one.name === name);
  if (!found) throw new Error(`no job ${name}`);
  return found;
};
const recurring = () => makeModules(app.context).modules.flatMap((one) => (one.jobs ?? []).filter(({ every }) => every !== undefined));
const ran = (name: string, run: () => Promise<void> = async () => {}) =>
  recordRun({ ...app.context, now: () => app.clock.now }, { name, worker: 'test', asked: undefined }, run).catch(() => {});
const pass = (minutes: number) => {
  app.clock.now = new Date(app.clock.now.getTime() + minutes * 60_000);
};
const watch = async () => {
  const found = recurring().find(({ name }) => name === 'job:watch');
  await ran('job:watch', () => found?.run({ ...app.context, now: () => app.clock.now } as never, {}) ?? Promise.resolve());
};
const retention = ['audit:prune', 'history:keep', 'retention:prune', 'work:expire'];
const told = async () => {
  await app.runJobs();
  const { content } = await admin.call(messageCalls.page, { criteria: { type: '1' }, page: { size: 100 } });
  return content.map((one) => one.title);
};

test('every recurring job stands in the list, with its words and when it runs next', async () => {
  const jobs = await all();
  expect(jobs.map((one) => one.name).sort()).toEqual(
    recurring()
      .map(({ name }) => name)
      .sort(),
  );
  // A text that is missing is said by its key.
  expect(jobs.map(({ name }) => t('en', nameKey(name))).filter((words) => words.startsWith('job.name.'))).toEqual([]);
  expect(await byName('stats.prune')).toMatchObject({
    status: '1',
    schedule: { every: 'day', at: '03:27' },
    usual: { every: 'day', at: '03:27' },
    lastRun: null,
    overdue: false,
    allowedActions: ['pause', 'run', 'update'],
  });
  // The clockwork, what the log's proof rests on, and what carries out retention.
  for (const name of ['audit:head', ...retention]) expect((await byName(name)).allowedActions).toEqual(['run']);
});

test('it is found by what it is called in the reader’s language', async () => {
  const found = await admin.call(jobCalls.page, { criteria: { text: 'ORDERS THAT WAIT' } });
  expect(found.content.map(({ name }) => name)).toEqual(['order:remind']);
  const chinese = await admin.send(jobCalls.page, { criteria: { text: '到期提醒' } }, { headers: { 'accept-language': 'zh-CN' } });
  expect(JSON.stringify(chinese.body)).toContain('order:remind');
  expect((await admin.call(jobCalls.page, { criteria: { text: 'nothing is called so' } })).total).toBe(0);
});

test('a job is run by hand, once however often it is asked for, and its run says who', async () => {
  const { id } = await byName('work:expire');
  await admin.call(jobCalls.run, { id });
  await admin.call(jobCalls.run, { id });
  await app.runJobs();
  const runs = await admin.call(schedCalls.page, { criteria: { jobId: id } });
  expect(runs.content).toMatchObject([{ job: 'work:expire', mode: '0', outcome: 'done', error: null, by: expect.any(String) }]);
  expect((await byName('work:expire')).lastRun).toMatchObject({ outcome: 'done' });
  await app.context.unscoped((db) =>
    db.updateTable('job_run').set({ outcome: 'running', ended_at: null }).where('name', '=', 'work:expire').execute(),
  );
  expect((await admin.send(jobCalls.run, { id })).body?.fault).toBe('JOB_RUNS');
});

test('it is paused, resumed and set to another time, as the worker then goes by; what can’t be is refused', async () => {
  const { id } = await byName('message:forget');
  const at = (time: string) => ({ min: Number(time.slice(3)), hour: Number(time.slice(0, 2)), date: 3, month: 5, dow: 3 });
  const dueAt = async (time: string) => {
    const schedules = await readSchedules(app.context, recurring());
    schedules.stop();
    const item = schedules.items.find(({ task }) => task === 'message:forget');
    return typeof item?.match === 'function' && item.match(at(time));
  };
  expect([await dueAt('03:37'), await dueAt('04:00')]).toEqual([true, false]);
  const changed = await admin.call(jobCalls.update, { id, schedule: { every: 'day', at: '04:00' } });
  expect(changed).toMatchObject({ schedule: { every: 'day', at: '04:00' }, usual: { every: 'day', at: '03:37' } });
  expect([await dueAt('03:37'), await dueAt('04:00')]).toEqual([false, true]);
  expect(await admin.call(jobCalls.pause, { id })).toMatchObject({
    status: '0',
    nextAt: null,
    allowedActions: ['resume', 'run', 'update'],
  });
  expect(await dueAt('04:00')).toBe(false);
  expect((await admin.send(jobCalls.pause, { id })).body?.fault).toBe('OVERTAKEN');
  await admin.call(jobCalls.resume, { id });
  expect(await dueAt('04:00')).toBe(true);

  const refused = async (schedule: object) => (await admin.send(jobCalls.update, { id, schedule })).body?.fault;
  expect(await refused({ every: 'minutes', count: 1 })).toBe('JOB_SCHEDULE');
  expect(await refused({ every: 'hour', minute: 3 })).toBe('JOB_SCHEDULE');
  expect(await refused({ every: 'day', at: '25:00' })).toBe('BAD_INPUT');
  const { id: fixed } = await byName('audit:head');
  expect((await admin.send(jobCalls.pause, { id: fixed })).body?.fault).toBe('JOB_FIXED');
  expect((await admin.send(jobCalls.update, { id: fixed, schedule: { every: 'week', weekday: 1, at: '00:02' } })).body?.fault).toBe(
    'JOB_FIXED',
  );
  const log = (await admin.call(logCalls.page, { criteria: { domain: 'job' } })).content;
  expect(log.map((one) => one.target)).toContain('job message:forget');
});

test('what a server missed before it was ever watched is no fault of its jobs either', async () => {
  const before = await told();
  pass(3 * 24 * 60);
  await watch();
  expect(await told()).toEqual(before);
});

test('one that fails is told once until it has worked again; one that doesn’t come is told too', async () => {
  pass(1);
  await watch();
  const fail = () => ran('stats.prune', () => Promise.reject(new Error('no room')));
  await fail();
  await watch();
  await fail();
  await watch();
  expect((await told()).filter((one) => one.includes('failed'))).toEqual(['Scheduled job “Remove old statistics” failed']);
  expect((await byName('stats.prune')).lastRun).toMatchObject({ outcome: 'failed', error: 'Error: no room' });
  await ran('stats.prune');
  await watch();
  await fail();
  await watch();
  expect((await told()).filter((one) => one.includes('failed'))).toHaveLength(2);

  // The server lives on: its watch comes, the job doesn't.
  for (let minutes = 0; minutes < 25 * 60; minutes += 10) {
    pass(10);
    await watch();
  }
  expect((await byName('stats.prune')).overdue).toBe(true);
  const named = async (overdue: boolean) =>
    (await admin.call(jobCalls.page, { criteria: { overdue }, page: { size: 100 } })).content.map(({ name }) => name);
  expect(await named(true)).toContain('stats.prune');
  expect(await named(false)).not.toContain('stats.prune');
  const missing = () => told().then((titles) => titles.filter((one) => one === 'Scheduled job “Remove old statistics” did not run'));
  expect(await missing()).toHaveLength(1);
  await ran('stats.prune');
  expect((await byName('stats.prune')).overdue).toBe(false);
});

test('one that ends its server is told as one that fails', async () => {
  /** What a server leaves that is killed while it runs one; another one finds it. */
  const killed = async (name: string) => {
    await app.context.unscoped((db) =>
      sql`insert into job_run (name, worker, mode, started_at) values (${name}, 'worker-gone', '1', now() - interval '1 minute')`.execute(
        db,
      ),
    );
    const alive = showWorkersAlive(app.context);
    await expect.poll(async () => (await byName(name)).lastRun?.outcome).toBe('interrupted');
    await alive.stop();
  };
  pass(1);
  await killed('work:expire');
  await watch();
  await killed('work:expire');
  await watch();
  await app.runJobs();
  const { content } = await admin.call(messageCalls.page, { criteria: { type: '1' }, page: { size: 100 } });
  const said = content.filter((one) => one.title === `Scheduled job “${t('en', nameKey('work:expire'))}” failed`);
  expect(said.map(({ text }) => text)).toEqual(['Its server stopped while it was running.']);
});

test('what a server missed while it was down is no fault of its jobs', async () => {
  const before = (await told()).length;
  pass(3 * 24 * 60);
  await watch();
  await watch();
  expect((await told()).length).toBe(before);
});

test('whoever pauses, resumes, runs or changes one is asked again who they are', async () => {
  const { id } = await byName('message:forget');
  const person = await app.person('platformAdmin', app.root, 'manager');
  await app.context.unscoped((db) =>
    sql`update auth_session set proved_at = now() - interval '11 minutes' where user_id = ${person.userId}`.execute(db),
  );
  const schedule = { every: 'day' as const, at: '04:00' };
  const answers = [
    await person.send(jobCalls.pause, { id }),
    await person.send(jobCalls.resume, { id }),
    await person.send(jobCalls.run, { id }),
    await person.send(jobCalls.update, { id, schedule }),
  ];
  expect(answers.map(({ body }) => body?.fault)).toEqual(Array(4).fill('STEP_UP_REQUIRED'));
});

test('what runs by minutes may run somewhat more seldom, and is never paused', async () => {
  const { id, allowedActions } = await byName('stats.sample');
  expect(allowedActions).toEqual(['run', 'update']);
  const set = (schedule: object) => admin.send(jobCalls.update, { id, schedule });
  expect((await set({ every: 'minutes', count: 26 })).body?.fault).toBe('JOB_SCHEDULE');
  expect((await set({ every: 'minutes', count: 1 })).body?.fault).toBe('JOB_SCHEDULE');
  expect((await set({ every: 'minutes', count: 0 })).body?.fault).toBe('BAD_INPUT');
  expect((await set({ every: 'minutes', count: 20 })).body).toMatchObject({ schedule: { every: 'minutes', count: 20 } });
  expect((await admin.send(jobCalls.pause, { id })).body?.fault).toBe('JOB_FIXED');
});

test('the runs of a job are drawn by their time: how long they took, and which failed', async () => {
  const { id } = await byName('stats.sample');
  await ran('stats.sample');
  await ran('stats.sample', () => Promise.reject(new Error('down')));
  const { step, spans } = await admin.call(schedCalls.chart, { jobId: id });
  expect([step, spans.length]).toEqual(['halfHour', 48]);
  expect(spans.at(-1)).toMatchObject({ runs: 2, failed: 1 });
  expect(spans.at(0)).toMatchObject({ runs: 0, failed: 0, slowestMs: null });
  expect(await admin.call(schedCalls.chart, { jobId: (await byName('message:forget')).id })).toMatchObject({ step: 'day' });
  expect((await admin.send(schedCalls.chart, { jobId: 999_999 })).code).toBe(404);
});

test('what carries out retention is neither paused nor put off', async () => {
  for (const name of retention) {
    const { id } = await byName(name);
    const schedule = { every: 'week' as const, weekday: 1, at: '04:00' };
    const refused = [await admin.send(jobCalls.pause, { id }), await admin.send(jobCalls.update, { id, schedule })];
    expect(
      refused.map(({ body }) => body?.fault),
      name,
    ).toEqual(['JOB_FIXED', 'JOB_FIXED']);
  }
});

test('people of an organisation see and start none of them', async () => {
  const bank = await app.dept('Bank');
  const person = await app.person('platformAdmin', bank, 'manager');
  const { id } = await byName('stats.prune');
  expect((await person.call(jobCalls.page, {})).total).toBe(0);
  expect((await person.send(jobCalls.run, { id })).code).toBe(404);
  expect((await person.call(schedCalls.page, {})).total).toBe(0);
});

test('runs of two weeks ago go, the last one of each job stays', async () => {
  const own = job({ name: 'test:own', payload: z.object({}), run: async () => {} });
  await app.context.unscoped((db) => sql`insert into job_schedule (name) values (${own.name})`.execute(db));
  await ran(own.name);
  await ran(own.name);
  pass(15 * 24 * 60);
  const forget = recurring().find(({ name }) => name === 'job:forget-runs');
  await forget?.run({ ...app.context, now: () => app.clock.now } as never, {});
  const left = await app.context.unscoped((db) => db.selectFrom('job_run').select('id').where('name', '=', own.name).execute());
  expect(left).toHaveLength(1);
});
