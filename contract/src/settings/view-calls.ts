import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { Id, Name } from '../kit/schema.ts';
import { TableConfig } from './calls.ts';

/** Of one list, of one person. */
export const MOST_VIEWS = 100;

/** Who may share a view with others: on either platform. */
export const SHARE_VIEWS = 'device:view:share||device:all:share';

/** By the code under which a person's columns of it are kept. */
const list = TableConfig.shape.code;
/** Its filters and order, as the address of the list has them. */
const query = z.string().max(2000);
const columns = TableConfig.shape.configs.nullable();

const SavedView = z.object({
  id: Id,
  name: z.string(),
  query: z.string(),
  columns: TableConfig.shape.configs.nullable(),
  shared: z.boolean(),
  isDefault: z.boolean(),
  /** Whose it is, where it isn't one's own. */
  by: z.string().nullable(),
});
export type SavedView = z.infer<typeof SavedView>;

const faults = ['VIEW_NAME_TAKEN', 'FORBIDDEN'];
/** Filters, order and columns of a list under a name: of a person, or shared with their organisation and those below it. */
export const savedViewCalls = calls('settings', '/form/individuation/view', {
  list: call({
    can: 'session',
    reads: true,
    input: z.strictObject({ list }),
    output: z.array(SavedView),
  }),
  add: call({
    can: 'session',
    input: z.strictObject({ list, name: Name, query, columns: columns.default(null), shared: z.boolean().default(false) }),
    output: SavedView,
    faults: [...faults, 'VIEW_MOST'],
  }),
  /** What isn't said stays as it is. */
  update: call({
    can: 'session',
    input: z.strictObject({ id: Id, name: Name, shared: z.boolean(), query: query.optional(), columns: columns.optional() }),
    output: SavedView,
    faults,
  }),
  delete: call({ can: 'session', input: z.strictObject({ id: Id }) }),
  /** With which view a list opens for this person; `null`: with none. */
  setDefault: call({ can: 'session', input: z.strictObject({ list, id: Id.nullable() }), audited: false }),
});
