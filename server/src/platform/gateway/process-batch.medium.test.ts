import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockWaits } from '../../../test/lock-waits.ts';
import { type TestApp, testApp } from '../../../test/test-app.ts';
import { estate, until } from '../../modules/device/device.factory.ts';
import { onUp, type Refused, type Taken } from './message.ts';
import { processBatch } from './process-batch.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.stop());

const saying = (code: string) => Object.assign(new Error('could not extend file: No space left on device'), { code });

test.each(['53100', '53200', '57P03', '58030', '40P01'])(
  'what the database says with %s passes: the message waits and is not lost',
  async (code) => {
    await app.context.unscoped(async (db) => {
      const { productId } = await estate(db);
      await sql`insert into device (sn, name, status, product_id, dept_id, dept_path) values (${`AWAY-${code}`}, 'a', '3', ${productId}, 7, '1.2.7.')`.execute(
        db,
      );
    });
    const refused: Refused[] = [];
    const acked: string[] = [];
    let left = 2;
    const handler = onUp('result', async () => {
      left -= 1;
      if (left >= 0) throw saying(code);
    });
    const taken: Taken = {
      sn: `AWAY-${code}`,
      kind: 'result',
      id: 'r-1',
      at: new Date(),
      receivedAt: new Date(),
      data: { offer: 'o-1', outcome: 'success' },
    };
    await processBatch(
      {
        app: app.context,
        handlers: [handler],
        refuse: (one) => refused.push(one),
        ack: (_sn, id) => acked.push(id),
        stopped: () => false,
      },
      [taken],
    );
    expect({ refused, acked, left }).toEqual({ refused: [], acked: ['r-1'], left: -1 });
  },
);

test('batches that meet the same devices in other orders go one after the other, and none has to begin again', async () => {
  const [a, b] = ['CROSS-A', 'CROSS-B'];
  await app.context.unscoped(async (db) => {
    const { productId } = await estate(db);
    await sql`
      with d as (
        insert into device (sn, name, status, product_id, dept_id, dept_path) select sn, sn, '3', ${productId}, 7, '1.2.7.' from unnest(${[a, b]}::text[]) as s(sn) returning id
      ) insert into device_presence (device_id, online) select id, true from d`.execute(db);
  });
  let runs = 0;
  const write = (kind: 'bye' | 'hello') =>
    onUp(kind, async (db, batch) => {
      runs += 1;
      await sql`update device_presence set battery = 50 where device_id = any(${batch.map((one) => one.deviceId)}::bigint[])`.execute(db);
      // The other batch has written too, or waits for this one.
      await until(async () => runs > 1 || (await waiting()));
    });
  const waiting = async () => (await app.context.unscoped(lockWaits)) > 0;
  const publish = (sn: string, kind: 'bye' | 'hello'): Taken => ({
    sn,
    kind,
    id: `${sn}-${kind}`,
    at: new Date(),
    receivedAt: new Date(),
    data: {},
  });
  const processing = {
    app: app.context,
    handlers: [write('bye'), write('hello')],
    refuse: () => {},
    ack: () => {},
    stopped: () => false,
  };
  await Promise.all([
    processBatch(processing, [publish(a, 'bye'), publish(b, 'hello')]),
    processBatch(processing, [publish(b, 'bye'), publish(a, 'hello')]),
  ]);
  expect(runs).toBe(4);
});
