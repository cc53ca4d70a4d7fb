import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { brokers, estate, type TestStack, testStack, until } from './device.factory.ts';

let plane: TestStack;
let fleet: Fleet;

beforeAll(async () => {
  if (!brokers.includes('mosquitto')) return;
  plane = await testStack({}, 'mosquitto');
  const { code } = await plane.app.unscoped((db) => estate(db));
  fleet = startFleet({ server: plane.server, count: 1, code, over: 'tls', seed: 'HELLO', maxBackoffSeconds: 1 });
});
afterAll(async () => {
  await fleet?.stop();
  await plane?.stop();
});

test('a hello that the broker took while no server was there is said again until one has it', async ({ skip }) => {
  if (!brokers.includes('mosquitto')) return skip();
  const [terminal] = fleet.terminals;
  const session = async () =>
    (
      await plane.app.unscoped((db) =>
        sql<{ firmware: string; session: string }>`
        select d.firmware, p.session from device d join device_presence p on p.device_id = d.id where d.sn = ${terminal?.sn ?? ''}`.execute(
          db,
        ),
      )
    ).rows[0];
  const before = await until(session);
  await plane.restart(async () => {
    if (terminal) terminal.journal.firmware = '1.5.0';
    terminal?.agent()?.cut();
    await until(() => fleet.online() === 0);
    await fleet.whenOnline(1);
  });
  await until(async () => (await session())?.firmware === '1.5.0');
  expect((await session())?.session).not.toBe(before.session);
});
