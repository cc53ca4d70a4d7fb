import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read } from '../kit/field.ts';
import { sheetCalls } from '../kit/import.ts';
import { filter } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { Moment, Name, Remark, ref } from '../kit/schema.ts';

export const DictCode = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'invalid.dictCode');
export const DictValue = z.string().trim().min(1).max(64);
export const LabelText = z.string().trim().max(128);
const Lang = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'invalid.lang');
/** Language code → label. English stands in where a language has none. */
export const Labels = z
  .record(Lang, LabelText)
  .refine((labels) => Object.keys(labels).length <= 60, 'invalid.too_big')
  .refine((labels) => (labels.en ?? '') !== '', 'settings.dict.needsEnglish');

/** The product needs it: it can't be deleted, and its own entries are locked. */
const system = read(z.boolean(), { text: 'settings.dict.system' });
const updatedAt = { text: 'settings.dict.updatedAt' } as const;

/** A typed list of codes (specification, screen /paramsDic). */
export const Dict = entity(
  'dict',
  {
    code: field(DictCode, { fixed: true, unique: 'DICT_TAKEN', sort: true, code: true }),
    name: field(Name),
    remark: field(Remark.default('')),
    system,
    entries: joined(z.int()),
    updatedAt: read(Moment, { ...updatedAt, sort: true }),
  },
  { rowClass: 'shared', order: 'code', search: { text: ['code', 'name'] }, texts: 'settings.dict' },
);
export const DictEntry = entity(
  'dictEntry',
  {
    dictId: field(ref('dict'), { fixed: true, filter: true, text: 'settings.dict.title' }),
    dictCode: joined(z.string(), { text: 'dictSheet.dict' }),
    value: field(DictValue, { unique: 'DICT_ENTRY_TAKEN', sort: true, code: true }),
    label: joined(z.string()),
    labels: field(Labels),
    sort: field(z.int().min(0).max(9999).default(100), { sort: true }),
    enabled: field(z.boolean().default(true), { filter: true }),
    system,
    updatedAt: read(Moment, updatedAt),
  },
  { rowClass: 'shared', order: 'sort', search: { text: ['value'] }, texts: 'settings.dict.entry', title: 'settings.dict.entries' },
);

const can = 'settings:dict:update';
const all = { see: 'settings:dict:page', add: can, update: can, delete: can } as const;
const locked = ['DICT_LOCKED'];
const { detail: _none, ...dict } = crud(Dict, all, { faults: { update: locked, delete: locked } });
const entry = crud(DictEntry, all, { faults: { add: locked, update: locked, delete: locked } });

export const dictCalls = calls('settings', '/sysSetting/dict', {
  ...dict,
  entries: entry.page,
  entry: entry.detail,
  entryAdd: entry.add,
  entryUpdate: entry.update,
  entryDelete: entry.delete,
  /** In the columns of the sheet that it comes back as. */
  entryExport: entry.export,
});

/** Rows of one file. */
export const DICT_SHEET_ROWS = 10_000;
/** Entries of any lists, a row each: those that are there become what the row says, others are added. */
export const dictSheetCalls = calls('settings', '/sysSetting/dict/sheet', sheetCalls(can, {}));

/** The source of every select: the enabled entries of some lists, in the person's language. */
export const dictFindCalls = calls('settings', '/dict', {
  findByCriteria: call({
    can: 'session',
    reads: true,
    input: z.strictObject({
      criteria: z.strictObject({
        type: filter.exact(DictCode),
        /** With those that aren't offered any more: what they are called is still read in rows that have them. */
        disabled: z.boolean().default(false),
      }),
    }),
    output: z.array(z.object({ type: z.string(), value: z.string(), label: z.string(), sort: z.int() })),
  }),
});
