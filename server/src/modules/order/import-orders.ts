import { FAULTS, Order } from '@mooring/contract/order/calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import type { Resource } from '../../platform/resource/resource.ts';
import { readCells, type SheetLine, sheetImport, type Wrong } from '../../platform/work/import-sheet.ts';
import { isPast } from './due.ts';
import { openOrder } from './new-order.ts';
import { utcDay } from './order-row.ts';
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
interface Ordered {
  readonly row: Row;
  readonly deptId: number;
}

interface Terminal {
  readonly id: number;
  readonly deptId: number;
  readonly path: string;
}
interface Named {
  readonly id: number;
  readonly kind: string;
  readonly path: string;
}
/** Terminals of the scope by their SNs, and the open orders of those that have one. */
async function devicesBy(ctx: Ctx, sns: readonly string[]) {
  const { rows } = await ctx.inTx((db) =>
    sql<Terminal & { sn: string }>`
      select sn, id, dept_id as "deptId", dept_path as path from device where sn = any(${sns}::text[]) and deleted_at is null`.execute(db),
  );
  const ids = rows.map(({ id }) => id);
  const open = await ctx.unscoped((db) =>
    sql<{ id: number; number: string; dept_path: string }>`
      select o.device_id as id, o.number, o.dept_path from order_order o join device d on d.id = o.device_id
      where o.device_id = any(${ids}::bigint[]) and o.dept_id = d.dept_id and ${openOrder}`.execute(db),
  );
  const numberOf = ({ number, dept_path }: { number: string; dept_path: string }) => (dept_path.startsWith(ctx.scope.path) ? number : '–');
  return {
    bySn: new Map<string, Terminal>(rows.map((row) => [row.sn, row])),
    open: new Map(open.rows.map((row) => [row.id, numberOf(row)])),
  };
}
/** Whom each name and number means, in small letters. */
async function partnersBy(ctx: Ctx, names: readonly string[]): Promise<ReadonlyMap<string, readonly Named[]>> {
  const { rows } = await ctx.unscoped((db) =>
    sql<Named & { key: string }>`
      select k.key, o.id, o.kind, o.dept_path as path
      from (
        select k.key, o.id from unnest(${names}::text[]) k(key) join org_dept o on lower(o.name) = k.key
        union select k.key, o.id from unnest(${names}::text[]) k(key) join org_dept o on o.id::text = k.key
      ) k join org_dept o on o.id = k.id
      where ${near(ctx.scope.path)} and is_dept_open(o.dept_path)`.execute(db),
  );
  return Map.groupBy(rows, ({ key }) => key);
}
/** The rule of `near`, of what stands in the scope. */
const isNear = (owner: string, { kind, path }: Named) => owner.startsWith(path) || (kind === 'organisation' && path.startsWith(owner));
/** The one that a row means; or what is wrong with its name. */
function partnerFor(found: readonly Named[], owner: string | undefined): number | 'ORDER_PARTNER' | 'ORDER_PARTNER_NAME' {
  const [one, ...more] = owner === undefined ? found : found.filter((named) => isNear(owner, named));
  if (one === undefined) return 'ORDER_PARTNER';
  return more.length > 0 ? 'ORDER_PARTNER_NAME' : one.id;
}
/** Faults by their value and by what any language calls them. */
async function faultsBy(ctx: Ctx): Promise<ReadonlyMap<string, string>> {
  const { rows } = await ctx.inTx((db) =>
    sql<{ value: string; labels: Record<string, string> }>`
      select e.value, e.labels from settings_dict_entry e join settings_dict c on c.id = e.dict_id where c.code = ${FAULTS} and e.enabled`.execute(
      db,
    ),
  );
  return new Map(rows.flatMap(({ value, labels }) => [value, ...Object.values(labels)].map((key) => [key.toLowerCase(), value] as const)));
}

async function checkOrders(ctx: Ctx, lines: readonly SheetLine<Column>[]): Promise<{ rows: Ordered[]; wrong: Wrong[] }> {
  const snOf = ({ text }: SheetLine<Column>) => text.deviceId.toUpperCase();
  const devices = await devicesBy(ctx, [...new Set(lines.map(snOf))]);
  const partners = await partnersBy(ctx, [...new Set(lines.map(({ text }) => text.partnerId.toLowerCase()))]);
  const faults = await faultsBy(ctx);
  const seen = new Set<string>();
  const rows: Ordered[] = [];
  const wrong: Wrong[] = [];
  for (const line of lines) {
    const { number: row, text } = line;
    const { deviceId: _sn, partnerId: _name, ...cells } = text;
    const fault = faults.get(text.fault.toLowerCase()) ?? '';
    const { values, bad } = readCells(Sheet, { ...cells, fault, dueOn: text.dueOn || null }, row);
    const device = devices.bySn.get(snOf(line));
    const number = device && devices.open.get(device.id);
    if (!device) bad.push({ row, column: 'deviceId', fault: 'NOT_FOUND' });
    else if (seen.has(snOf(line))) bad.push({ row, column: 'deviceId', fault: 'SHEET_TWICE' });
    else if (number !== undefined)
      bad.push({ row, column: 'deviceId', fault: 'ORDER_OPEN', words: { key: 'fault.ORDER_OPEN', params: { number } } });
    if (values?.dueOn && isPast(ctx, values.dueOn)) bad.push({ row, column: 'dueOn', fault: 'ORDER_DUE_PAST' });
    const partnerId = partnerFor(partners.get(text.partnerId.toLowerCase()) ?? [], device?.path);
    if (typeof partnerId === 'string') bad.push({ row, column: 'partnerId', fault: partnerId });
    else if (values && device && bad.length === 0) {
      // A row that is wrong takes nothing, and so not the terminal either.
      seen.add(snOf(line));
      rows.push({ row: { ...values, deviceId: device.id, partnerId, photos: [] }, deptId: device.deptId });
    }
    wrong.push(...bad);
  }
  return { rows, wrong };
}

const inDays = (ctx: Ctx, days: number): string => utcDay(new Date(ctx.now().getTime() + days * 86_400_000));

/** Orders from a spreadsheet, each as its form makes it; a partner hears once of all that are for it. */
export const orderImport = (store: BlobStore, orders: () => Resource<typeof Order>) =>
  sheetImport<Column, Ordered>(
    {
      job: 'order:import',
      title: 'work.import.order',
      things: 'orders',
      columns,
      example: async (ctx) => ['MRG0000181', '2', 'printer', '', 'Jane Doe', '0049 30 901820', '', inDays(ctx, 14), '', ''],
      fileName: 'orders.xlsx',
      may: (ctx) => ctx.actor.permissions.has('order:order:add'),
      check: checkOrders,
      prepare: async (_ctx, rows) => async (inner) => {
        await tellTogether(inner, async () => {
          // In the order that everybody holds them in: terminals by their ids, then the numbers of each organisation.
          const ids = rows.map(({ row }) => row.deviceId);
          await sql`select from device where id = any(${ids}::bigint[]) order by id for no key update`.execute(inner.db);
          const made: number[] = [];
          for (const { row } of rows.toSorted((a, b) => a.deptId - b.deptId)) made.push((await orders().add(inner, row)).id);
          return made;
        });
      },
    },
    store,
  );
