import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { startLiveHub } from './live-hub.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

const touch = (group: string, path: string) => app.context.unscoped((db) => app.context.invalidate(db, group, path));
/** What the first of its messages said. */
const firstWord = (hub: ReturnType<typeof startLiveHub>, path: string, ageMs: number) => {
  let told: (groups: readonly string[]) => void = () => {};
  const word = new Promise<readonly string[]>((done) => {
    told = done;
  });
  return { word, leave: hub.listen({ path, send: told }, ageMs) };
};

test('the first tab of a quiet server hears what is touched right after it joined', async () => {
  const hub = startLiveHub(app.context);
  const tab = firstWord(hub, '1.2.', 0);
  // So long that a question asked at joining would have been answered.
  for (let n = 0; n < 20; n += 1) await app.context.unscoped((db) => db.selectFrom('org_dept').select('id').limit(1).execute());
  await touch('/message', '1.2.');
  expect(await tab.word).toEqual(['/message']);
  tab.leave();
  await hub.stop();
});

test('a tab is told what it missed since its first question, and nothing of beside it', async () => {
  await touch('/device', '1.2.7.');
  await touch('/device/beside', '1.3.');
  const hub = startLiveHub(app.context);
  const tab = firstWord(hub, '1.2.', 5000);
  const word = await tab.word;
  expect(word).toContain('/device');
  expect(word).not.toContain('/device/beside');
  tab.leave();
  await hub.stop();
});

test('a long transaction of somebody else keeps nobody from hearing, and what it touched itself is heard once it ends', async () => {
  const hub = startLiveHub(app.context);
  const heard: string[] = [];
  let told = () => {};
  const leave = hub.listen(
    {
      path: '1.2.',
      send(groups) {
        heard.push(...groups.filter((group) => group.startsWith('/long/')));
        told();
      },
    },
    0,
  );
  const untilHeard = async (group: string) => {
    while (!heard.includes(group))
      await new Promise<void>((done) => {
        told = done;
      });
  };
  await touch('/long/before', '1.2.');
  await untilHeard('/long/before');
  await app.context.unscoped(async (db) => {
    await app.context.invalidate(db, '/long/own', '1.2.');
    await touch('/long/beside', '1.2.');
    await untilHeard('/long/beside');
    expect(heard).not.toContain('/long/own');
  });
  await untilHeard('/long/own');
  expect(heard.filter((group) => group === '/long/beside')).toHaveLength(1);
  leave();
  await hub.stop();
});

test('a clock that is set back keeps nobody from hearing', async () => {
  const hub = startLiveHub(app.context);
  const heard: string[] = [];
  let told = () => {};
  const leave = hub.listen(
    {
      path: '1.2.',
      send(groups) {
        heard.push(...groups.filter((group) => group.startsWith('/clock/')));
        told();
      },
    },
    0,
  );
  const untilHeard = async (group: string) => {
    await touch(group, '1.2.');
    while (!heard.includes(group))
      await new Promise<void>((done) => {
        told = done;
      });
    heard.length = 0;
  };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
  try {
    await untilHeard('/clock/1');
    vi.useRealTimers();
    await untilHeard('/clock/1');
  } finally {
    vi.useRealTimers();
    leave();
    await hub.stop();
  }
});

test('what was touched before a crash of the database is still to be read after it', async () => {
  const { rows } = await app.context.readOnly((db) =>
    sql<{ relpersistence: string }>`select relpersistence from pg_class where oid = 'live_touch'::regclass`.execute(db),
  );
  expect(rows).toEqual([{ relpersistence: 'p' }]);
});
