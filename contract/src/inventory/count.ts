import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { joined, read } from '../kit/field.ts';
import { selectionOf } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { Id, Moment, Remark, ref } from '../kit/schema.ts';
import { Sns } from './fields.ts';

export const countResults = ['found', 'missing', 'unexpected'] as const;

/** Why a row of a file is no scan: its cell is no serial number, or isn't what was meant. */
export const countFileFaults = ['wrong', 'digits', 'date', 'formula', 'text', 'long'] as const;

/** The stock of one organisation, of one product or all, counted with a scanner. */
export const StockCount = entity(
  'stockCount',
  {
    productName: read(z.string(), { text: 'device.product' }),
    deptId: read(Id, { filter: true, text: 'device.dept' }),
    deptName: joined(z.string(), { text: 'device.dept' }),
    expected: read(z.int()),
    found: read(z.int()),
    missing: read(z.int()),
    unexpected: read(z.int()),
    doubled: read(z.int()),
    remark: read(z.string(), { text: 'stock.remark' }),
    byName: read(z.string(), { text: 'entry.byName' }),
    createdAt: read(Moment, { sort: true, filter: true, text: 'entry.createdAt' }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['productName', 'byName', 'remark'] } },
);

export const CountLine = entity(
  'countLine',
  {
    sn: read(z.string(), { sort: true, code: true, text: 'device.sn' }),
    countId: read(Id, { filter: true }),
    result: read(z.enum(countResults), { filter: true }),
    times: read(z.int()),
    deviceId: read(Id.nullable()),
  },
  { rowClass: 'owned', order: 'sn', search: { text: ['sn'] } },
);

const see = 'inventory:stock:page';
const { page, detail, export: exportPage } = crud(StockCount, { see });
const lines = crud(CountLine, { see });
/** Where it isn't expected, what is known of it: of a terminal in sight that lies elsewhere or isn't in stock. */
const Scan = z.object({
  sn: z.string(),
  result: z.enum(['found', 'unexpected']),
  productName: z.string(),
  deptName: z.string(),
  status: z.string(),
});
const shelf = { deptId: ref('dept'), productId: ref('product').nullable().default(null) };

export const countCalls = calls('inventory', '/inventory/count', {
  page,
  detail,
  export: exportPage,
  /** How many lie on a shelf: what a count begins with. */
  shelf: call({ can: see, reads: true, input: z.strictObject(shelf), output: z.object({ expected: z.int() }) }),
  /** Whether a scanned terminal should be there; where it isn't expected, what is known of it. */
  check: call({
    can: see,
    reads: true,
    input: z.strictObject({ ...shelf, sn: z.string().trim().min(1).max(64) }),
    output: Scan,
  }),
  /** The same for a file: a sheet with a column of serial numbers, or a plain list. Each row in its order; the first wrong ones are named. */
  checkFile: call({
    can: see,
    reads: true,
    tx: 'own',
    input: z.strictObject({ ...shelf, file: ref('file') }),
    output: z.object({
      scans: z.array(Scan),
      wrongRows: z.int(),
      wrong: z.array(z.object({ row: z.int(), value: z.string(), why: z.enum(countFileFaults) })),
    }),
    faults: ['SHEET_BROKEN', 'SHEET_TOO_LARGE', 'SHEET_MERGED', 'COUNT_FILE_EMPTY', 'COUNT_FILE_COLUMN'],
    timeout: 60,
  }),
  save: call({
    can: 'inventory:stock:in',
    input: z.strictObject({ ...shelf, sns: Sns, remark: Remark.default('') }),
    output: StockCount.row,
    faults: ['COUNT_TOO_LARGE'],
    timeout: 60,
    about: 'Keeps a count: every scan in its order, also what was scanned twice.',
  }),
});
export const countLineCalls = calls('inventory', '/inventory/count/line', {
  page: lines.page,
  export: lines.export,
  /** Of the chosen lines those that were unexpected, to be put into stock by `/device/warehouse`. */
  serials: call({
    can: 'inventory:stock:in',
    reads: true,
    input: z.strictObject({ of: selectionOf(CountLine.criteria) }),
    output: z.object({ sns: z.array(z.string()) }),
    faults: ['SNS_MANY', 'COUNT_NONE_UNEXPECTED'],
  }),
});
