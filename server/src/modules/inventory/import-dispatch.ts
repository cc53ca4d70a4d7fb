import { DocumentNumber } from '@mooring/contract/inventory/fields';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { type SheetLine, sheetImport, type Wrong } from '../../platform/work/import-sheet.ts';
import { deptsByName } from '../org/api.ts';
import { unusableTo } from '../product/api.ts';
import { holdDevices } from './hold-devices.ts';
import { makeDispatch } from './make-dispatch.ts';
import { judgeSns, type Refusal } from './sn-list.ts';
import { movable } from './transfer-rows.ts';

const columns = { sn: 'device.sn', to: 'dispatch.toId', number: 'dispatch.number', remark: 'dispatch.remark' } as const;
type Column = keyof typeof columns;
interface Row {
  readonly row: number;
  readonly device: number;
  readonly to: { readonly id: number; readonly name: string; readonly path: string };
  readonly number: string;
  readonly remark: string;
}
const faults: Readonly<{ [R in Refusal]: string }> = {
  wrong: 'BAD_INPUT',
  twice: 'SHEET_TWICE',
  unknown: 'NOT_FOUND',
  there: 'DEVICE_THERE',
  taken: 'NOT_FOUND',
  state: 'DEVICE_STATE',
  transfer: 'DEVICE_IN_TRANSFER',
  sold: 'DEVICE_SOLD',
  product: 'DEVICE_PRODUCT',
  notStocked: 'NOT_IN_STOCK',
  price: 'BAD_INPUT',
};

async function check(ctx: Ctx, lines: readonly SheetLine<Column>[]): Promise<{ rows: Row[]; wrong: Wrong[] }> {
  const depts = await ctx.inTx((db) => deptsByName(ctx, db, [...new Set(lines.map(({ text }) => text.to))]));
  const { good, problems } = await ctx.withScope((inner) =>
    judgeSns(
      inner,
      lines.map(({ text }) => text.sn || '?'),
      ({ status, sold }, document) =>
        document !== undefined ? 'transfer' : sold !== null ? 'sold' : movable.includes(status) ? undefined : 'state',
    ),
  );
  const devices = new Map(good.map((one) => [one.sn, one]));
  const left = new Map<string, Refusal>();
  for (const { sn, reason } of problems) if (reason !== 'twice' || !devices.has(sn)) left.set(sn, reason);
  const rows: Row[] = [];
  const wrong: Wrong[] = [];
  const seen = new Set<string>();
  for (const { number: row, text } of lines) {
    const sn = (text.sn || '?').toUpperCase();
    const [device, dept] = [devices.get(sn), depts.get(text.to.toLowerCase())];
    const bad: Wrong[] = [];
    if (seen.has(sn)) bad.push({ row, column: 'sn', fault: faults.twice });
    else if (!device) bad.push({ row, column: 'sn', fault: faults[left.get(sn) ?? 'unknown'] });
    if (!dept) bad.push({ row, column: 'toId', fault: 'NOT_FOUND' });
    else if (dept === 'many') bad.push({ row, column: 'toId', fault: 'SHEET_MANY' });
    else if (dept.id === ctx.scope.deptId || dept.id === device?.deptId) bad.push({ row, column: 'toId', fault: faults.there });
    if (!DocumentNumber.safeParse(text.number).success) bad.push({ row, column: 'number', fault: 'BAD_INPUT' });
    if (text.remark.length > 500) bad.push({ row, column: 'remark', fault: 'BAD_INPUT' });
    seen.add(sn);
    wrong.push(...bad);
    if (bad.length === 0 && device && dept && dept !== 'many')
      rows.push({ row, device: device.id, to: { id: dept.id, name: text.to, path: dept.path }, number: text.number, remark: text.remark });
  }
  const unusable = new Set<Row>();
  for (const part of Map.groupBy(rows, ({ to }) => to.id).values()) {
    const devices = part.map(({ device }) => device);
    const found = await unusableTo(ctx, devices, part[0]?.to.path ?? '');
    for (const one of part) if (found.has(one.device)) unusable.add(one);
  }
  for (const { row } of unusable) wrong.push({ row, column: 'toId', fault: faults.product });
  return { rows: rows.filter((one) => !unusable.has(one)), wrong };
}

/** Rows of one receiver and number are one dispatch; it is sent from its page. */
export const dispatchImport = (store: BlobStore) =>
  sheetImport<Column, Row>(
    {
      job: 'inventory:import',
      title: 'work.import.dispatch',
      things: 'terminals',
      columns,
      example: async () => ['SN00000001', 'North Region', 'D-2026-001', ''],
      fileName: 'dispatch.xlsx',
      may: (ctx) => ctx.actor.permissions.has('inventory:dispatch:add'),
      check,
      prepare: async (_ctx, rows) => async (inner) => {
        // All at once, in the order of their ids.
        await holdDevices(
          inner.db,
          rows.map(({ device }) => device),
        );
        const parts = Map.groupBy(rows, ({ to, number }) => `${to.id} ${number.toLowerCase()}`);
        for (const part of parts.values()) {
          const [first] = part;
          if (!first) continue;
          const name = await inner.db.selectFrom('org_dept').select('name').where('id', '=', first.to.id).executeTakeFirst();
          const to = { ...first.to, name: name?.name ?? first.to.name };
          await makeDispatch(
            inner,
            { number: first.number, remark: first.remark, to },
            part.map(({ device }) => device),
          );
        }
      },
    },
    store,
  );
