import { AddCells, SHEET_ROWS_MOST } from '@mooring/contract/device/sheet/sheet-calls';
import { z } from 'zod';
import type { Ctx } from '../../../platform/context.ts';
import { t } from '../../../platform/texts/translate.ts';
import type { Judged, SheetKind, WrongCell } from '../../../platform/work/sheet-kind.ts';
import type { Line } from '../../../platform/work/sheet-lines.ts';
import { isUsableAt, sharedWith } from '../../product/api.ts';
import { isManyGroups, readCells, yesNo } from './cells.ts';
import { deptNames, type ProductAt, productNames, takenSns } from './look-ups.ts';
import { barredOf, listed, places } from './place-cells.ts';
import { type NewRow, writeNew } from './write-new.ts';

const titles = {
  sn: 'device.sn',
  name: 'device.name',
  product: 'device.product',
  dept: 'device.dept',
  stocked: 'device.stocked',
  merchant: 'device.sheet.merchant',
  shop: 'device.sheet.shop',
  groups: 'device.groups',
  tags: 'device.tags',
  pn: 'device.pn',
  imei: 'device.imei',
  mac: 'device.mac',
  iccid: 'device.iccid',
  remark: 'device.remark',
} as const;
type Column = keyof typeof titles;
const Given = z.object({ productId: z.int().nullable() });
type Given = z.output<typeof Given>;
type Bad = WrongCell<Column>[];

function judgeNew(ctx: Ctx, { productId }: Given) {
  const [depts, products, place] = [deptNames(ctx), productNames(ctx), places(ctx)];
  const seen = new Set<string>();
  const here = { id: ctx.scope.deptId, path: ctx.scope.path };
  let chosen: ProductAt | undefined;
  const loadChosen = async () => {
    if (productId === null || chosen) return;
    const row = await ctx.inTx((db) =>
      db
        .selectFrom('product_product as p')
        .select(['p.publish_status', 'p.dept_path as owner', sharedWith.as('shared')])
        .where('p.id', '=', productId)
        .executeTakeFirst(),
    );
    if (row) chosen = { id: productId, isPublished: row.publish_status === '1', owner: row.owner, shared: row.shared };
  };
  const productOf = (text: string | undefined, bad: Bad): ProductAt | undefined => {
    const found = text ? products.of(text) : chosen;
    if (found && found !== 'many' && found.isPublished) return found;
    const fault = found === 'many' ? 'SHEET_MANY_PRODUCTS' : found ? 'PRODUCT_UNPUBLISHED' : text ? 'NOT_FOUND' : 'SHEET_NO_PRODUCT';
    bad.push({ column: 'product', fault });
    return undefined;
  };
  const deptOf = (text: string | undefined) => (text ? depts.of(text) : here);
  const pathOf = (text: string | undefined) => {
    const dept = deptOf(text);
    return dept === undefined || dept === 'many' ? undefined : dept.path;
  };

  const one = ({ text }: Line<Column>, taken: ReadonlySet<string>): Judged<Column, NewRow> => {
    const stocked = yesNo(ctx.lang, text.stocked);
    const filled = Object.fromEntries(Object.entries(text).filter(([, cell]) => cell !== ''));
    const { values, bad } = readCells<Column, typeof AddCells>(AddCells, {
      ...filled,
      sn: text.sn ?? '',
      stocked: stocked ?? false,
      tags: listed(text.tags),
    });
    if (stocked === undefined) bad.push({ column: 'stocked', fault: 'SHEET_YES_NO' });
    const sn = (text.sn ?? '').toUpperCase();
    if (!bad.some(({ column }) => column === 'sn')) {
      if (seen.has(sn)) bad.push({ column: 'sn', fault: 'SHEET_TWICE' });
      else if (taken.has(sn)) bad.push({ column: 'sn', fault: 'SN_TAKEN' });
      seen.add(sn);
    }
    const product = productOf(text.product, bad);
    const dept = deptOf(text.dept);
    if (dept === undefined || dept === 'many') {
      bad.push({ column: 'dept', fault: dept ? 'SHEET_MANY' : 'NOT_FOUND' });
      return { bad, row: undefined };
    }
    if (product && !isUsableAt(dept.path, product)) bad.push({ column: 'product', fault: 'DEVICE_PRODUCT' });
    const allowed = place.allowed(text, bad);
    const where = place.merchant(allowed, dept.path, bad);
    const groups = place.groups(allowed, dept.path, bad);
    if (isManyGroups(groups)) bad.push({ column: 'groups', fault: 'SHEET_GROUPS_FULL' });
    if (bad.length > 0 || values === undefined || product === undefined) return { bad, row: undefined };
    return { bad, row: { ...values, product: product.id, dept: dept.id, path: dept.path, ...where, groups } };
  };

  return async (lines: readonly Line<Column>[]) => {
    await loadChosen();
    await depts.load(lines.map(({ text }) => text.dept));
    await products.load(lines.map(({ text }) => text.product));
    await place.load(lines.map(({ text }) => ({ text, path: pathOf(text.dept) })));
    const taken = await takenSns(
      ctx,
      lines.flatMap(({ text }) => (text.sn ? [text.sn.toUpperCase()] : [])),
    );
    return lines.map((line) => one(line, taken));
  };
}

/** Only terminals with a radio have its numbers. */
async function columnsFor(ctx: Ctx, productId: number | null): Promise<readonly Column[]> {
  const barred = barredOf(ctx);
  const all = (Object.keys(titles) as Column[]).filter((column) => !barred.has(column));
  if (productId === null) return all;
  const product = await ctx.db.selectFrom('product_product').select('networks').where('id', '=', productId).executeTakeFirst();
  const hasRadio = product?.networks.some((one) => one === 'cellular' || one === 'nbiot') ?? false;
  return all.filter((one) => one !== 'product' && (hasRadio || (one !== 'imei' && one !== 'iccid')));
}

export const addSheet: SheetKind<Column, Given, NewRow> = {
  job: 'device:import',
  title: 'work.import.device',
  things: 'terminals',
  fileName: 'terminals.xlsx',
  titles,
  key: 'sn',
  needed: ['sn'],
  rows: SHEET_ROWS_MOST,
  given: Given,
  template: async (ctx, { productId }) => {
    const columns = await columnsFor(ctx, productId);
    const product = await ctx.db
      .selectFrom('product_product')
      .select('code')
      .where('publish_status', '=', '1')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    const example: Readonly<Partial<Record<Column, string>>> = {
      sn: 'SN00000001',
      name: 'Counter 1',
      product: product?.code ?? 'P100',
      stocked: t(ctx.lang, 'kit.no'),
      tags: 'counter, pilot',
      pn: 'P100-0A',
      imei: '861234567890123',
      mac: '00:1A:2B:3C:4D:5E',
      iccid: '89860012345678901234',
    };
    return { columns, rows: [columns.map((column) => example[column] ?? '')] };
  },
  may: ({ actor }) => actor.permissions.has('device:device:add') || actor.permissions.has('device:all:add'),
  judge: judgeNew,
  write: writeNew,
  touches: ['/device', '/merchant', '/shop', '/inventory/device'],
};
