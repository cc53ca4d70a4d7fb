import { startFleet } from '@mooring/terminal/start-fleet';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { estate, ownBrokers, type TestStack, testStack, until } from './device.factory.ts';

const COUNT = 300;
/** What hangs is told from what is slow on a machine that others use too. */
const SLOW_S = 300;
describe.each(ownBrokers)('%s broker', (kind) => {
  let plane: TestStack;
  let code: string;
  beforeAll(async () => {
    plane = await testStack({}, kind);
    ({ code } = await plane.app.unscoped((db) => estate(db)));
  });
  afterAll(() => plane.stop());

  test('all terminals break off and come back at once: nobody is lost, and nobody is refused', { timeout: 900_000 }, async () => {
    const fleet = startFleet({ server: plane.server, count: COUNT, seed: 'STORM', code, maxBackoffSeconds: 2, atOnce: 32 });
    try {
      await fleet.whenOnline(COUNT, SLOW_S);
      const moves = () =>
        plane.app.unscoped((db) =>
          sql<{
            event: string;
            n: number;
          }>`select event, count(*)::int as n from state_change where life = 'device' group by event order by event`.execute(db),
        );
      const quiet = [
        { event: 'activate', n: COUNT },
        { event: 'created', n: COUNT },
      ];
      await until(async () => (await moves()).rows[0]?.n === COUNT);
      for (const one of fleet.terminals) one.agent()?.cut();
      await until(() => fleet.online() === 0);
      await fleet.whenOnline(COUNT, SLOW_S);
      expect((await moves()).rows).toEqual(quiet);
      const refused = await plane.app.unscoped((db) => sql`select kind, reason from gateway_refused`.execute(db));
      expect(refused.rows).toEqual([]);
    } finally {
      await fleet.stop();
    }
  });
});
