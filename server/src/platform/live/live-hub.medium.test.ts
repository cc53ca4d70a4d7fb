import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestHouse, testHouse } from '../../../test/house.ts';
import { startLiveHub } from './live-hub.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await testHouse();
});
afterAll(() => house.stop());

const touch = (group: string, path: string) => house.house.unscoped((db) => house.house.touch(db, group, path));
/** What the first of its messages said. */
const firstWord = (hub: ReturnType<typeof startLiveHub>, path: string, ageMs: number) => {
  let told: (groups: readonly string[]) => void = () => {};
  const word = new Promise<readonly string[]>((done) => {
    told = done;
  });
  return { word, leave: hub.listen({ path, send: told }, ageMs) };
};

test('the first tab of a quiet server hears what is touched right after it joined', async () => {
  const hub = startLiveHub(house.house);
  const tab = firstWord(hub, '1.2.', 0);
  // So long that a question asked at joining would have been answered.
  for (let n = 0; n < 20; n += 1) await house.house.unscoped((db) => db.selectFrom('org_dept').select('id').limit(1).execute());
  await touch('/message', '1.2.');
  expect(await tab.word).toEqual(['/message']);
  tab.leave();
  await hub.stop();
});

test('a tab is told what it missed since its first question, and nothing of beside it', async () => {
  await touch('/device', '1.2.7.');
  await touch('/device/beside', '1.3.');
  const hub = startLiveHub(house.house);
  const tab = firstWord(hub, '1.2.', 5000);
  const word = await tab.word;
  expect(word).toContain('/device');
  expect(word).not.toContain('/device/beside');
  tab.leave();
  await hub.stop();
});
