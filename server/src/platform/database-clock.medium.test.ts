import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../../test/test-app.ts';
import { followDatabaseClock } from './database-clock.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ realClock: true });
});
afterAll(async () => {
  vi.useRealTimers();
  await app.stop();
});

const offBy = async (now: () => Date) => {
  const { rows } = await app.context.pools.owner.query<{ now: Date }>('select clock_timestamp() as now');
  return Math.abs(now().getTime() - (rows[0]?.now.getTime() ?? 0));
};

test('a process whose own clock jumps by minutes goes on in the time of the database', async () => {
  expect(await offBy(app.context.now)).toBeLessThan(2000);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 10 * 60_000 });
  expect(await offBy(app.context.now)).toBeLessThan(2000);
  expect(await offBy(() => new Date())).toBeGreaterThan(500_000);
});

test('one that starts with a wrong clock says so', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3600_000 });
  const said: unknown[] = [];
  const clock = await followDatabaseClock(app.context.pools.owner, { warn: (...words: unknown[]) => said.push(words) } as never);
  expect(await offBy(clock.now)).toBeLessThan(2000);
  expect(said).toHaveLength(1);
  clock.stop();
});
