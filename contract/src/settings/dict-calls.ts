import { z } from 'zod';
import { allowedActions } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { filter, pageOf, pageQuery } from '../kit/page.ts';
import { Id, Moment, Name, Remark, ref, revises, revision } from '../kit/schema.ts';

const Code = z
  .string()
  .trim()
  .regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'invalid.dictCode');
const Value = z.string().trim().min(1).max(64);
const Lang = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'invalid.lang');
/** Language code → label. English stands in where a language has none. */
const Labels = z
  .record(Lang, z.string().trim().max(128))
  .refine((labels) => Object.keys(labels).length <= 60, 'invalid.too_big')
  .refine((labels) => (labels.en ?? '') !== '', 'settings.dict.needsEnglish');

/** A typed list of codes (specification, screen /paramsDic). */
export const Dict = z.object({
  id: Id,
  code: z.string(),
  name: z.string(),
  remark: z.string(),
  /** The product needs it: it can't be deleted, and its own entries are locked. */
  system: z.boolean(),
  entries: z.int(),
  updatedAt: Moment,
  ...revision,
  ...allowedActions,
});
export const DictEntry = z.object({
  id: Id,
  dictId: Id,
  value: z.string(),
  label: z.string(),
  labels: z.record(z.string(), z.string()),
  sort: z.int(),
  enabled: z.boolean(),
  system: z.boolean(),
  updatedAt: Moment,
  ...revision,
  ...allowedActions,
});
const can = 'settings:dict:update';
const entryFields = { value: Value, labels: Labels, sort: z.int().min(0).max(9999).default(100), enabled: z.boolean().default(true) };
const one = z.strictObject({ id: Id });

export const dictCalls = calls('settings', '/sysSetting/dict', {
  page: call({
    can: 'settings:dict:page',
    reads: true,
    input: pageQuery({ text: filter.text() }, ['code', '-updatedAt']),
    output: pageOf(Dict),
  }),
  add: call({ can, input: z.strictObject({ code: Code, name: Name, remark: Remark.default('') }), output: Dict, faults: ['DICT_TAKEN'] }),
  update: call({
    can,
    input: z.strictObject({ id: Id, ...revises('dict'), name: Name, remark: Remark.default('') }),
    output: Dict,
    faults: ['DICT_LOCKED'],
  }),
  delete: call({ can, input: one, faults: ['DICT_LOCKED'] }),
  entries: call({
    can: 'settings:dict:page',
    reads: true,
    input: pageQuery({ dictId: Id, text: filter.text(), enabled: z.boolean() }, ['sort', 'value']),
    output: pageOf(DictEntry),
  }),
  entry: call({ can: 'settings:dict:page', reads: true, input: one, output: DictEntry }),
  entryAdd: call({
    can,
    input: z.strictObject({ dictId: ref('dict'), ...entryFields }),
    output: DictEntry,
    faults: ['DICT_ENTRY_TAKEN', 'DICT_LOCKED'],
  }),
  entryUpdate: call({
    can,
    input: z.strictObject({ id: Id, ...revises('dictEntry'), ...entryFields }),
    output: DictEntry,
    faults: ['DICT_LOCKED', 'DICT_ENTRY_TAKEN'],
  }),
  entryDelete: call({ can, input: one, faults: ['DICT_LOCKED'] }),
});

/** The source of every select: the enabled entries of some lists, in the person's language. */
export const dictFindCalls = calls('settings', '/dict', {
  findByCriteria: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ criteria: z.strictObject({ type: filter.exact(Code) }) }),
    output: z.array(z.object({ type: z.string(), value: z.string(), label: z.string(), sort: z.int() })),
  }),
});
