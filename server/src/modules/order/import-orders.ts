import { FAULTS, Order } from '@mooring/contract/order/calls';
import { overStates } from '@mooring/contract/order/state-machines';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { readCells, type SheetLine, sheetImport, type Wrong } from '../../platform/work/import-sheet.ts';
import { near } from './partners.ts';
import { tellTogether } from './tell.ts';

const columns = {
  deviceId: 'device.sn',
  partnerId: 'order.partnerId',
  fault: 'order.fault',
  description: 'order.description',
  contactName: 'order.contactName',
  phone: 'order.phone',
  address: 'order.address',
  dueOn: 'order.dueOn',
  outCarrier: 'order.outCarrier',
  outNumber: 'order.outNumber',
} as const;
type Column = keyof typeof columns;
const Sheet = Order.add.omit({ deviceId: true, partnerId: true, photos: true });
type Row = z.output<typeof Order.add>;
const over = [...overStates];

const idsOf = (rows: readonly { key: string; id: number }[]) => new Map(rows.map(({ key, id }) => [key, id]));
/** Terminals of the scope by their SNs, and the open orders of those that have one. */
async function devicesBy(ctx: Ctx, sns: readonly string[]) {
  const { rows } = await ctx.inTx((db) =>
    sql<{ key: string; id: number }>`select sn as key, id from device where sn = any(${sns}::text[]) and deleted_at is null`.execute(db),
  );
  const ids = rows.map(({ id }) => id);
  const open = await ctx.unscoped((db) =>
    sql<{ id: number; number: string; dept_path: string }>`
      select device_id as id, number, dept_path from order_order where device_id = any(${ids}::bigint[]) and state <> all(${over}::text[])`.execute(
      db,
    ),
  );
  const numberOf = ({ number, dept_path }: { number: string; dept_path: string }) => (dept_path.startsWith(ctx.scope.path) ? number : '–');
  return { ids: idsOf(rows), open: new Map(open.rows.map((row) => [row.id, numberOf(row)])) };
}
/** Partners that may be named, by name and by number, in small letters. */
async function partnersBy(ctx: Ctx, names: readonly string[]) {
  const { rows } = await ctx.unscoped((db) =>
    sql<{ key: string; id: number }>`
      select k.key, o.id from org_dept o join unnest(${names}::text[]) as k(key) on lower(o.name) = k.key or o.id::text = k.key
      where ${near(ctx)} and is_dept_open(o.dept_path)`.execute(db),
  );
  return idsOf(rows);
}
/** Faults by their value and by what any language calls them. */
async function faultsBy(ctx: Ctx): Promise<ReadonlyMap<string, string>> {
  const { rows } = await ctx.inTx((db) =>
    sql<{ value: string; labels: Record<string, string> }>`
      select e.value, e.labels from settings_dict_entry e join settings_dict c on c.id = e.dict_id where c.code = ${FAULTS}`.execute(db),
  );
  return new Map(rows.flatMap(({ value, labels }) => [value, ...Object.values(labels)].map((key) => [key.toLowerCase(), value] as const)));
}

async function checkOrders(ctx: Ctx, lines: readonly SheetLine<Column>[]): Promise<{ rows: Row[]; wrong: Wrong[] }> {
  const snOf = ({ text }: SheetLine<Column>) => text.deviceId.toUpperCase();
  const devices = await devicesBy(ctx, [...new Set(lines.map(snOf))]);
  const partners = await partnersBy(ctx, [...new Set(lines.map(({ text }) => text.partnerId.toLowerCase()))]);
  const faults = await faultsBy(ctx);
  const seen = new Set<string>();
  const rows: Row[] = [];
  const wrong: Wrong[] = [];
  for (const line of lines) {
    const { number: row, text } = line;
    const { deviceId: _sn, partnerId: _name, ...cells } = text;
    const fault = faults.get(text.fault.toLowerCase()) ?? '';
    const { values, bad } = readCells(Sheet, { ...cells, fault, dueOn: text.dueOn || null }, row);
    const deviceId = devices.ids.get(snOf(line));
    const number = deviceId === undefined ? undefined : devices.open.get(deviceId);
    if (deviceId === undefined) bad.push({ row, column: 'deviceId', fault: 'NOT_FOUND' });
    else if (seen.has(snOf(line))) bad.push({ row, column: 'deviceId', fault: 'SHEET_TWICE' });
    else if (number !== undefined)
      bad.push({ row, column: 'deviceId', fault: 'ORDER_OPEN', words: { key: 'fault.ORDER_OPEN', params: { number } } });
    seen.add(snOf(line));
    const partnerId = partners.get(text.partnerId.toLowerCase());
    if (partnerId === undefined) bad.push({ row, column: 'partnerId', fault: 'ORDER_PARTNER' });
    if (values && deviceId !== undefined && partnerId !== undefined && bad.length === 0)
      rows.push({ ...values, deviceId, partnerId, photos: [] });
    wrong.push(...bad);
  }
  return { rows, wrong };
}

/** Orders from a spreadsheet, each as its form makes it; a partner hears once of all that are for it. */
export const orderImport = (store: BlobStore, orders: () => Resource<typeof Order>) =>
  sheetImport<Column, Row>(
    {
      job: 'order:import',
      title: 'work.import.order',
      things: 'orders',
      columns,
      example: async () => ['MRG0000181', '2', 'printer', '', 'Jane Doe', '0049 30 901820', '', '2026-12-31', '', ''],
      fileName: 'orders.xlsx',
      may: (ctx) => ctx.actor.permissions.has('order:order:add'),
      check: checkOrders,
      prepare: async (_ctx, rows) => async (inner) => {
        await tellTogether(inner, async () => {
          const made: number[] = [];
          for (const row of rows) made.push((await orders().add(inner, row)).id);
          return made;
        });
      },
    },
    store,
  );
