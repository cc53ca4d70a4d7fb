import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { onUp } from '../../platform/gateway/message.ts';

/** One statement for a batch; where no platform is set up nothing is written out for it. */
async function note(db: Db, kind: 'event' | 'property', items: () => readonly object[]): Promise<void> {
  const { rows } = await sql`select from customer_iot where state <> 'draft' limit 1`.execute(db);
  if (rows.length > 0) await sql`select customer_note(${kind}, ${JSON.stringify(items())}::jsonb)`.execute(db);
}

/** What terminals say, for the outside platforms that want it, in the transaction that keeps it. Repeated ones were dropped before. */
export const noteMessages = [
  onUp('event', async (db, batch, app) => {
    const at = app.now();
    await note(db, 'event', () =>
      batch.map(({ deviceId, at: saidAt, data: { name, level, params } }) => ({
        device_id: deviceId,
        at,
        name,
        level,
        data: { name, level, params, terminalAt: saidAt },
      })),
    );
  }),
  onUp('property', async (db, batch, app) => {
    const at = app.now();
    await note(db, 'property', () =>
      batch.map(({ deviceId, at: saidAt, data: { values } }) => ({ device_id: deviceId, at, data: { values, terminalAt: saidAt } })),
    );
  }),
];
