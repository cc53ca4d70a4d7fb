import { Merchant, merchantKinds } from '@mooring/contract/merchant/calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import type { BlobStore } from '../../platform/files/blob-store.ts';
import { t } from '../../platform/texts/translate.ts';
import { type SheetLine, sheetImport, type Wrong } from '../../platform/work/import-sheet.ts';
import { type DeptAt, deptsByName } from '../org/api.ts';
import { checkCells, numbersOf, takeRows } from './sheet-rows.ts';

const columns = {
  number: 'merchant.number',
  name: 'merchant.name',
  kind: 'merchant.kind',
  dept: 'merchant.deptId',
  contactName: 'merchant.contactName',
  phone: 'merchant.phone',
  email: 'merchant.email',
  country: 'merchant.country',
  region: 'merchant.region',
  city: 'merchant.city',
  address: 'merchant.address',
  postcode: 'merchant.postcode',
  lat: 'merchant.lat',
  lon: 'merchant.lon',
  remark: 'merchant.remark',
} as const;
type Column = keyof typeof columns;
type Line = SheetLine<Column>;
const Sheet = Merchant.add.omit({ deptId: true });
type Row = z.output<typeof Sheet> & { readonly dept: DeptAt };

/** As its code or in words, of the person's language or the product's own. */
const kindOf = (ctx: Ctx, text: string): string =>
  text === ''
    ? 'other'
    : (merchantKinds.find((kind) => [ctx.lang, 'en', 'zh-CN'].some((lang) => same(t(lang, `merchant.kind.${kind}`), text))) ?? text);
const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

async function checkMerchants(ctx: Ctx, lines: readonly Line[]): Promise<{ rows: Row[]; wrong: Wrong[] }> {
  const names = [...new Set(lines.map(({ text }) => text.dept || String(ctx.scope.deptId)))];
  const depts = await ctx.inTx((db) => deptsByName(ctx, db, names));
  const deptOf = ({ text }: Line) => depts.get((text.dept || String(ctx.scope.deptId)).toLowerCase());
  const own = lines.flatMap((line) => {
    const dept = deptOf(line);
    return dept && dept !== 'many' ? [`${dept.id} ${line.text.number.toLowerCase()}`] : [];
  });
  const taken = await ctx.inTx(async (db) => {
    const { rows } = await sql<{ key: string }>`
      select m.dept_id || ' ' || lower(m.number) as key from merchant_merchant m
      join unnest(${[...new Set(own)]}::text[]) k on m.dept_id = split_part(k, ' ', 1)::bigint and lower(m.number) = substr(k, strpos(k, ' ') + 1)`.execute(
      db,
    );
    return new Set(rows.map(({ key }) => key));
  });
  const sheet = new Set<string>();
  const rows: Row[] = [];
  const wrong: Wrong[] = [];
  for (const line of lines) {
    const { number, text } = line;
    const { values, bad } = checkCells(Sheet, line, {
      kind: kindOf(ctx, text.kind),
      country: text.country.toUpperCase(),
      ...numbersOf(text),
    });
    const dept = deptOf(line);
    if (!dept) bad.push({ row: number, column: 'deptId', fault: 'NOT_FOUND' });
    else if (dept === 'many') bad.push({ row: number, column: 'deptId', fault: 'SHEET_MANY' });
    else {
      const key = `${dept.id} ${text.number.toLowerCase()}`;
      if (sheet.has(key)) bad.push({ row: number, column: 'number', fault: 'SHEET_TWICE' });
      else if (taken.has(key)) bad.push({ row: number, column: 'number', fault: 'MERCHANT_NUMBER_TAKEN' });
      sheet.add(key);
      if (values && bad.length === 0) rows.push({ ...values, dept });
    }
    wrong.push(...bad);
  }
  return { rows, wrong };
}

/** Merchants from a spreadsheet, each of an organisation of the scope. */
export const merchantImport = (store: BlobStore) =>
  sheetImport<Column, Row>(
    {
      job: 'merchant:import',
      title: 'work.import.merchant',
      things: 'merchants',
      columns,
      example: async (ctx) => [
        'M-1001',
        'Corner Bakery',
        t(ctx.lang, 'merchant.kind.restaurant'),
        '',
        'Jane Doe',
        '0049 30 901820',
        'jane.doe@example.com',
        'DE',
        '',
        'Berlin',
        'Friedrichstraße 1',
        '10117',
        '52.5170',
        '13.3889',
        '',
      ],
      fileName: 'merchants.xlsx',
      may: (ctx) => ctx.actor.permissions.has('merchant:merchant:add'),
      check: checkMerchants,
      prepare: async (_ctx, rows) => (inner) =>
        takeRows(
          inner,
          'merchant_merchant',
          Merchant,
          'MERCHANT_NUMBER_TAKEN',
          rows.map(({ dept, ...row }) => ({ ...row, own: { dept_id: dept.id, dept_path: dept.path } })),
        ),
    },
    store,
  );
