import { deviceMachine } from '@mooring/contract/device/state-machines';
import type { transferReasons } from '@mooring/contract/inventory/fields';
import { dispatchMachine, transferMachine } from '@mooring/contract/inventory/state-machines';
import { codesOf } from '@mooring/contract/kit/state-machine';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { move, statefulTable } from '../../platform/db/move.ts';
import { deviceRows, moveTo, resetConfig, withdrawCommands } from '../device/api.ts';
import { unusableOf } from '../product/api.ts';
import type { Failed } from './many.ts';

export const dispatchRows = statefulTable('inventory_dispatch', dispatchMachine);
export const transferRows = statefulTable('inventory_transfer', transferMachine);
export type Reason = (typeof transferReasons)[number];

/** A record of a dispatch under work; `at` is where a page of it begins again: its own id, or that of its arrival. */
export interface Record {
  readonly id: number;
  readonly at: number;
  readonly device_id: number;
  readonly sn: string;
  readonly state: string;
}
export interface Sides {
  readonly id: number;
  readonly number: string;
  readonly state: string;
  readonly from: { readonly id: number; readonly path: string; readonly name: string };
  readonly to: { readonly id: number; readonly path: string; readonly name: string; readonly isOpen: boolean };
  readonly receipt: number | null;
}

/** Both sides of a dispatch, held until the end of the transaction: one act on it at a time. */
export async function holdDispatch(db: Db, id: number): Promise<Sides | undefined> {
  await sql`select from inventory_dispatch where id = ${id} for update`.execute(db);
  const { rows } = await sql<{
    number: string;
    state: string;
    dept_id: number;
    dept_path: string;
    name: string;
    to_id: number;
    to_path: string;
    to_name: string;
    is_open: boolean;
    receipt: number | null;
  }>`
    select d.number, d.state, f.id as dept_id, f.dept_path, f.name, o.id as to_id, o.dept_path as to_path, o.name as to_name, is_dept_open(o.dept_path) as is_open, r.id as receipt
    from inventory_dispatch d join org_dept f on f.id = d.dept_id left join inventory_receipt r on r.dispatch_id = d.id
    join org_dept o on o.id = coalesce(r.dept_id, d.to_id) where d.id = ${id}`.execute(db);
  const [row] = rows;
  return (
    row && {
      id,
      number: row.number,
      state: row.state,
      from: { id: row.dept_id, path: row.dept_path, name: row.name },
      to: { id: row.to_id, path: row.to_path, name: row.to_name, isOpen: row.is_open },
      receipt: row.receipt,
    }
  );
}

/** Terminals may go over that were never in contact, are out of it, or lie in stock. */
export const movable = ['1', '2', '5'];

/** Device `d` was issued for good, and isn't back. */
export const isSold = sql<boolean>`exists (select from inventory_sale s where s.device_id = d.id and s.state = 'sold')`;

/** Of terminals that are held: which of them stand below a path and may go over to another, and what keeps the others. */
export async function sortOut(
  db: Db,
  records: readonly Record[],
  path: string,
  to: string,
): Promise<{ good: readonly Record[]; bad: readonly (Record & { reason: Reason })[] }> {
  const ids = records.map((one) => one.device_id);
  const own = records.map((one) => one.id);
  const { rows } = await sql<{ id: number; status: string; gone: boolean; here: boolean; sold: boolean; open: boolean }>`
    select d.id, d.status, d.deleted_at is not null as gone, starts_with(d.dept_path, ${path}) as here, ${isSold} as sold,
      exists (select from inventory_transfer o where o.device_id = d.id and o.state = '1' and o.id <> all(${own}::bigint[])) as open
    from device d where d.id = any(${ids}::bigint[]) order by d.id`.execute(db);
  const found = new Map(rows.map((row) => [row.id, row]));
  const unusable = await unusableOf(db, ids, to);
  const reasonOf = ({ device_id }: Record): Reason | undefined => {
    const device = found.get(device_id);
    if (!device || device.gone) return 'deleted';
    if (!device.here) return 'away';
    if (device.open) return 'transfer';
    if (device.sold) return 'sold';
    if (unusable.has(device_id)) return 'product';
    return movable.includes(device.status) ? undefined : 'use';
  };
  const judged = records.map((one) => ({ ...one, reason: reasonOf(one) }));
  return {
    good: judged.filter((one) => one.reason === undefined),
    bad: judged.flatMap(({ reason, ...one }) => (reason ? [{ ...one, reason }] : [])),
  };
}

const faults: Readonly<{ [R in Reason]: string }> = {
  away: 'DEVICE_AWAY',
  deleted: 'DEVICE_AWAY',
  use: 'DEVICE_STATE',
  sold: 'DEVICE_SOLD',
  transfer: 'DEVICE_IN_TRANSFER',
  product: 'DEVICE_PRODUCT',
  refused: 'DEVICE_STATE',
  takenBack: 'DEVICE_STATE',
};
export const failedOf = (bad: readonly (Record & { reason: Reason })[]): Failed[] =>
  bad.map(({ device_id: id, sn: label, reason }) => ({ id, label, fault: faults[reason] }));

export const idsOf = (records: readonly { readonly id: number }[]): number[] => records.map(({ id }) => id);
export const devicesOf = (records: readonly { readonly device_id: number }[]): number[] => records.map((one) => one.device_id);

/** They come to an organisation and lie in its stock; what their former one still asked of them is over. */
export async function bring(ctx: Ctx, db: Db, devices: readonly number[], to: { id: number; path: string }): Promise<void> {
  await withdrawCommands(ctx, db, devices);
  await resetConfig(ctx, db, devices);
  await moveTo(ctx, db, devices, to);
  const which = sql`id = any(${devices}::bigint[]) and status = any(${codesOf(deviceMachine, deviceMachine.events.stockIn.from)}::text[])`;
  await move(db, deviceRows, 'stockIn', which, { actorId: ctx.actor.userId });
}

/** What a receiver has in hand: in its stock, or never in contact; and under no later record than this one. */
export async function untouched(db: Db, records: readonly Record[]): Promise<ReadonlyMap<number, Reason>> {
  const { rows } = await sql<{ id: number; reason: Reason }>`
    select t.id, case when later then 'away' else 'use' end as reason from inventory_transfer t join device d on d.id = t.device_id
    cross join lateral (select exists (
      select from inventory_transfer n where n.device_id = t.device_id and n.id > t.id and inventory_is_out(n.state)) as later) x
    where t.id = any(${idsOf(records)}::bigint[]) and (later or not (d.status = '5' or (d.status = '1' and d.activated_at is null)))`.execute(
    db,
  );
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

/** Records get their next state, with the reason where they failed. */
export async function turn(
  ctx: Ctx,
  db: Db,
  event: keyof typeof transferMachine.events,
  records: readonly Record[],
  more: { reason?: Reason | null; note?: string } = {},
): Promise<void> {
  if (records.length === 0) return;
  const set = { changed_at: ctx.now(), reason: more.reason ?? null, note: more.note ?? '' };
  await move(db, transferRows, event, idsOf(records), { actorId: ctx.actor.userId, set });
}
export async function turnBad(
  ctx: Ctx,
  db: Db,
  event: 'fail' | 'withdrawFail' | 'returnFail',
  bad: readonly (Record & { reason: Reason })[],
): Promise<void> {
  for (const reason of new Set(bad.map((one) => one.reason)))
    await turn(
      ctx,
      db,
      event,
      bad.filter((one) => one.reason === reason),
      { reason },
    );
}

/** The dispatch is what its records come to; open pages of both sides hear of it. */
export async function settle(ctx: Ctx, db: Db, { id, from, to }: Sides): Promise<void> {
  const row = await db.selectFrom('inventory_dispatch').select(['state', 'total', 'sent']).where('id', '=', id).executeTakeFirst();
  if (row && ['1', '3', '5'].includes(row.state)) {
    const next = row.sent === 0 ? '1' : row.sent < row.total ? '3' : '5';
    const event =
      next === '1'
        ? 'comeBackAll'
        : next === '5'
          ? 'transferAll'
          : row.state === '5'
            ? ('comeBackSome' as const)
            : ('transferSome' as const);
    if (next !== row.state) await move(db, dispatchRows, event, [id], { actorId: ctx.actor.userId });
  }
  for (const group of ['/device/dispatch', '/device/dispatch/transfer']) await ctx.invalidate(db, group, from.path);
  for (const group of ['/device/receipt', '/device/receipt/arrival']) await ctx.invalidate(db, group, to.path);
  for (const { path } of [from, to])
    for (const group of ['/inventory/device', '/inventory/entry', '/inventory/custody']) await ctx.invalidate(db, group, path);
}
