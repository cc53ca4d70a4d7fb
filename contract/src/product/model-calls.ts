import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { ById, Id, Moment, Remark, ref } from '../kit/schema.ts';
import { partChanges } from './model-changes.ts';
import { thingModelMachine } from './state-machines.ts';
import { ThingModel, thingLists } from './thing-model.ts';

/** A version of a product's thing model. One draft at most; what was published stays as it was. */
export const ProductModel = entity(
  'thingModel',
  {
    version: read(z.int(), { sort: true }),
    productId: field(ref('product'), { fixed: true, filter: true }),
    state: state(thingModelMachine, { filter: true }),
    note: field(Remark.default('')),
    entries: joined(z.int()),
    createdBy: read(z.string()),
    createdAt: read(Moment),
    publishedAt: read(Moment.nullable()),
  },
  { rowClass: 'inherited', order: '-version', search: { text: ['note', 'createdBy'] }, texts: 'model' },
);

const see = 'product:product:page';
const edit = 'product:model:edit';
const Version = ProductModel.row.extend({ model: ThingModel });
/** The revision of the draft that was changed; null where there was none. Another one is somebody else's draft. */
const seen = z.int().positive().nullable();
const Change = z.object({ list: z.enum(thingLists), at: z.string(), what: z.enum(partChanges), breaking: z.boolean() });
/** As it goes to a file and comes from one. */
export const MODEL_TEXT = 256 * 1024;

const { page, export: exportVersions } = crud(ProductModel, { see });
export const productModelCalls = calls('product', '/product/model', {
  versions: { ...page, path: '/product/model/page' },
  exportVersions,
  detail: call({ can: see, reads: true, input: ById, output: Version }),
  /** The draft, and the version that is published; each where there is one. */
  current: call({
    can: see,
    reads: true,
    input: z.strictObject({ productId: ref('product') }),
    output: z.object({ draft: Version.nullable(), published: Version.nullable(), allowedActions: z.array(z.enum(['edit', 'publish'])) }),
  }),
  save: call({
    can: edit,
    input: z.strictObject({ productId: ref('product'), seen, model: ThingModel, note: Remark.default('') }),
    output: Version,
  }),
  import: call({
    can: edit,
    input: z.strictObject({ productId: ref('product'), seen, text: z.string().max(MODEL_TEXT) }),
    output: Version,
    faults: ['MODEL_UNREADABLE'],
  }),
  export: call({ can: see, reads: true, wire: 'binary', input: ById, output: z.unknown() }),
  discard: call({ can: edit, input: z.strictObject({ id: Id, seen: z.int().positive() }) }),
  /** Changes that break what works with the published version are confirmed with the product's code. */
  publish: call({
    can: 'product:model:publish',
    input: z.strictObject({ id: Id, seen: z.int().positive(), confirm: z.string().trim().max(64).default('') }),
    output: Version,
    faults: ['MODEL_BREAKING', 'MODEL_EMPTY'],
  }),
  /** What became of a version: from `id` to `next`. */
  compare: call({
    can: see,
    reads: true,
    input: z.strictObject({ id: Id, next: ref('thingModel') }),
    output: z.object({ old: z.int(), next: z.int(), changes: z.array(Change) }),
  }),
});
