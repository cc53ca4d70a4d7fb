import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { asOwner } from '../../test/test-server.ts';
import { holdBroker } from './broker-lock.ts';
import { sessionLocks } from './db/session-locks.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());
/** As a process of its own; answers how that ends. */
async function hold(isAlone: boolean, patience = 200): Promise<() => Promise<void>> {
  const locks = sessionLocks(database.url);
  try {
    await holdBroker(locks, isAlone, patience);
  } catch (error) {
    await locks.end();
    throw error;
  }
  return locks.end;
}

test('a process with its own broker is alone; those with one outside share the database', async () => {
  const alone = await hold(true);
  await expect(hold(true)).rejects.toThrow(/Another server process .* Set MQTT_URL/);
  await expect(hold(false)).rejects.toThrow(/with the MQTT broker inside it/);
  await alone();
  const shared = [await hold(false), await hold(false)];
  await expect(hold(true)).rejects.toThrow(/Set MQTT_URL/);
  for (const one of shared) await one();
  await (await hold(true))();
});

test('one that waits gets the place of one that ends; a broken session takes it again', async () => {
  const first = await hold(true);
  const second = hold(true, 5000);
  await first();
  const stop = await second;
  await asOwner(database.url, (client) =>
    client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mooring locks' and datname = current_database()",
    ),
  );
  await expect
    .poll(
      () =>
        hold(true, 0).then(
          (free) => free().then(() => 'free'),
          () => 'held',
        ),
      { timeout: 10_000, interval: 1500 },
    )
    .toBe('held');
  await stop();
  await (await hold(true))();
});
