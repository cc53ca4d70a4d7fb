import { z } from 'zod';
import { calls } from '../../kit/call.ts';
import { sheetCalls } from '../../kit/import.ts';
import { Name, Remark, ref } from '../../kit/schema.ts';
import { Sn, Tags } from '../schemas.ts';

/** Rows of one file. */
export const SHEET_ROWS_MOST = 100_000;

/** Terminals from a file; a row that names no product is of the one that is chosen. */
export const deviceImportCalls = calls(
  'device',
  '/device/batchImport',
  sheetCalls('device:device:add||device:all:add', { productId: ref('product').nullable().default(null) }),
);
/** What is set of terminals that are there, by their SN: the columns of the file alone. */
export const deviceChangeCalls = calls('device', '/device/batchUpdate', sheetCalls('device:device:update||device:all:update', {}));

const Yes = z.boolean();
/** How numbers of the hardware are written, by people and by terminals. */
export const Imei = z.string().regex(/^\d{14,16}$/, 'invalid.imei');
export const Iccid = z
  .string()
  .toUpperCase()
  .regex(/^\d{18,20}[0-9F]?$/, 'invalid.iccid');
export const Mac = z
  .string()
  .toUpperCase()
  .transform((text) => text.replace(/[:.-]/g, ''))
  .pipe(z.string().regex(/^[0-9A-F]{12}$/, 'invalid.mac'))
  .transform((text) => text.replace(/(..)(?=.)/g, '$1:'));

/** Cells of a new terminal that need no look at what is there. */
export const AddCells = z.object({
  sn: Sn,
  name: Name.optional(),
  stocked: Yes.optional(),
  tags: Tags.optional(),
  pn: z.string().max(64).optional(),
  imei: Imei.optional(),
  mac: Mac.optional(),
  iccid: Iccid.optional(),
  remark: Remark.optional(),
});
export const ChangeCells = z.object({
  sn: Sn,
  name: Name.optional(),
  tags: Tags.optional(),
  remark: Remark.optional(),
  notes: z.string().max(4000).optional(),
});
