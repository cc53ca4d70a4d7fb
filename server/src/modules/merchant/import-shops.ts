import { readHours, writeHours } from '@mooring/contract/merchant/opening-hours';
import { Shop } from '@mooring/contract/merchant/shop';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { type SheetLine, sheetImport, type Wrong } from '../../platform/work/import-sheet.ts';
import { checkCells, numbersOf, takeRows } from './sheet-rows.ts';

const columns = {
  merchant: 'shop.merchantId',
  number: 'shop.number',
  name: 'shop.name',
  address: 'shop.address',
  city: 'shop.city',
  phone: 'shop.phone',
  timeZone: 'shop.timeZone',
  openingHours: 'shop.openingHours',
  lat: 'merchant.lat',
  lon: 'merchant.lon',
  remark: 'shop.remark',
} as const;
type Column = keyof typeof columns;
const Sheet = Shop.add.omit({ merchantId: true });
interface Of {
  readonly id: number;
  readonly dept_id: number;
  readonly dept_path: string;
}
type Row = z.output<typeof Sheet> & { readonly of: Of };

/** Merchants of the scope by their numbers, in small letters; two organisations may have one of a number each. */
async function merchantsBy(ctx: Ctx, numbers: readonly string[]): Promise<ReadonlyMap<string, Of | 'many'>> {
  const { rows } = await ctx.inTx((db) =>
    sql<Of & { number: string }>`
      select id, lower(number) as number, dept_id, dept_path from merchant_merchant where lower(number) = any(${[...numbers]}::text[])`.execute(
      db,
    ),
  );
  const found = new Map<string, Of | 'many'>();
  for (const { number, ...of } of rows) found.set(number, found.has(number) ? 'many' : of);
  return found;
}

const takenIn = async (ctx: Ctx, merchants: readonly number[]): Promise<ReadonlySet<string>> => {
  const { rows } = await ctx.inTx((db) =>
    sql<{ key: string }>`
      select merchant_id || ' ' || lower(number) as key from merchant_shop where merchant_id = any(${[...merchants]}::bigint[])`.execute(
      db,
    ),
  );
  return new Set(rows.map(({ key }) => key));
};

async function checkShops(ctx: Ctx, lines: readonly SheetLine<Column>[]): Promise<{ rows: Row[]; wrong: Wrong[] }> {
  const merchants = await merchantsBy(ctx, [...new Set(lines.map(({ text }) => text.merchant.toLowerCase()))]);
  const known = [...merchants.values()].flatMap((one) => (one === 'many' ? [] : [one.id]));
  const taken = await takenIn(ctx, known);
  const sheet = new Set<string>();
  const rows: Row[] = [];
  const wrong: Wrong[] = [];
  for (const line of lines) {
    const { number, text } = line;
    const openingHours = readHours(text.openingHours);
    const { values, bad } = checkCells(Sheet, line, {
      openingHours: openingHours ?? [],
      timeZone: text.timeZone || 'UTC',
      ...numbersOf(text),
    });
    if (!openingHours)
      bad.push({ row: number, column: 'openingHours', fault: 'BAD_INPUT', words: { key: 'invalid.openingText', params: {} } });
    const of = merchants.get(text.merchant.toLowerCase());
    if (!of) bad.push({ row: number, column: 'merchantId', fault: 'NOT_FOUND' });
    else if (of === 'many') bad.push({ row: number, column: 'merchantId', fault: 'MERCHANT_MANY' });
    else {
      const key = `${of.id} ${text.number.toLowerCase()}`;
      if (sheet.has(key)) bad.push({ row: number, column: 'number', fault: 'SHEET_TWICE' });
      else if (taken.has(key)) bad.push({ row: number, column: 'number', fault: 'SHOP_NUMBER_TAKEN' });
      sheet.add(key);
      if (values && bad.length === 0) rows.push({ ...values, of });
    }
    wrong.push(...bad);
  }
  return { rows, wrong };
}

/** Shops from a spreadsheet, each of a merchant of the scope. */
export const shopImport = (store: BlobStore) =>
  sheetImport<Column, Row>(
    {
      job: 'merchant:importShops',
      title: 'work.import.shop',
      things: 'shops',
      columns,
      example: async () => {
        const hours = [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '18:00' }));
        return [
          'M-1001',
          'S-1',
          'Friedrichstraße',
          'Friedrichstraße 1',
          'Berlin',
          '0049 30 901820',
          'Europe/Berlin',
          writeHours(hours),
          '52.5170',
          '13.3889',
          '',
        ];
      },
      fileName: 'shops.xlsx',
      may: (ctx) => ctx.actor.permissions.has('merchant:shop:add'),
      check: checkShops,
      prepare: async (_ctx, rows) => (inner) =>
        takeRows(
          inner,
          'merchant_shop',
          Shop,
          'SHOP_NUMBER_TAKEN',
          rows.map(({ of: { id, ...owner }, ...row }) => ({ ...row, own: { merchant_id: id, ...owner } })),
        ),
    },
    store,
  );
