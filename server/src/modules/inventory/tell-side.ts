import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { type NotificationName, notify } from '../message/api.ts';
import type { Sides } from './transfer-rows.ts';

type Told = Extract<NotificationName, `dispatch${string}`>;

const receiver = { can: 'inventory:receipt:accept', link: '/device/receipt/page' };
const sender = { can: 'inventory:dispatch:page', link: '/device/dispatch/page' };

async function tell(db: Db, name: Told, { number, from, to }: Sides, isReceiver: boolean, params: object = {}): Promise<void> {
  const [who, other] = isReceiver ? [to, from] : [from, to];
  const { can, link } = isReceiver ? receiver : sender;
  await notify(db, {
    name,
    params: { number, from: from.name, to: to.name, ...params },
    to: { above: who.path, apart: other.path, can },
    deptPath: who.path,
    link,
  });
}

/** The other side hears what was done with a dispatch: once an act, however many batches it takes. */
export const tellReceiver = (db: Db, name: 'dispatchSent' | 'dispatchRecalled', sides: Sides): Promise<void> => tell(db, name, sides, true);
export const tellReturned = (db: Db, sides: Sides): Promise<void> => tell(db, 'dispatchReturned', sides, false);

/** The sender hears when the last terminal of a delivery was answered. */
export async function tellAnswered(db: Db, sides: Sides): Promise<void> {
  const { rows } = await sql<{ waiting: number; accepted: number; refused: number }>`
    select count(*) filter (where state = '1' and sent_at is not null)::int as waiting, count(*) filter (where state = '3')::int as accepted,
      count(*) filter (where state = '5' and reason = 'refused')::int as refused
    from inventory_transfer where dispatch_id = ${sides.id} and not superseded`.execute(db);
  const [row] = rows;
  if (row?.waiting === 0) await tell(db, 'dispatchAnswered', sides, false, { accepted: row.accepted, refused: row.refused });
}
