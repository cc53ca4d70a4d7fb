import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestHouse, testHouse } from '../../../test/house.ts';
import { estate } from '../../modules/device/device.factory.ts';
import { onUp, type Refused, type Taken } from './message.ts';
import { processBatch } from './process-batch.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await testHouse();
});
afterAll(() => house.stop());

const saying = (code: string) => Object.assign(new Error('could not extend file: No space left on device'), { code });

test.each(['53100', '53200', '57P03', '58030', '40P01'])(
  'what the database says with %s passes: the message waits and is not lost',
  async (code) => {
    await house.house.unscoped(async (db) => {
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
        house: house.house,
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
