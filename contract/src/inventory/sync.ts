import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { asked, field, joined, read, state } from '../kit/field.ts';
import { BulkOutcome, selectionOf } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { ById, Id, Moment, Name, ref, secret } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { syncConflictMachine, syncRunMachine } from './state-machines.ts';

export const syncSchedules = ['none', 'hourly', 'daily'] as const;
export const syncSignIns = ['none', 'token'] as const;
/** What keeps a register and this installation apart. */
export const syncDifferences = ['owner', 'product', 'ownerUnknown', 'productUnknown', 'productElsewhere', 'taken', 'unlisted'] as const;

/** Secrets belong into the token: an address stands in lists and in the log. */
const FeedUrl = z
  .url({ protocol: /^https?$/ })
  .max(512)
  .refine((url) => !/^https?:\/\/[^/?#]*@/i.test(url), 'invalid.urlSecret');

/** An outside asset register that is read: which terminals there are, of which product, and whose. */
export const SyncSource = entity(
  'syncSource',
  {
    name: field(Name, { unique: 'SYNC_SOURCE_TAKEN' }),
    deptId: field(ref('dept'), { fixed: true, help: true }),
    deptName: joined(z.string(), { text: 'syncSource.deptId' }),
    url: field(FeedUrl, { help: true }),
    signIn: field(z.enum(syncSignIns).default('none')),
    token: asked(secret(z.string().trim().max(512)).default(''), { help: true }),
    schedule: field(z.enum(syncSchedules).default('none'), { help: true }),
    addsNew: field(z.boolean().default(true), { help: true }),
    lastState: joined(stateOf(syncRunMachine).nullable(), { names: 'life.syncRun.' }),
    lastReason: joined(z.string().nullable()),
    lastAt: joined(Moment.nullable()),
    conflicts: joined(z.int()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['name', 'url'] } },
);

export const SyncRun = entity(
  'syncRun',
  {
    startedAt: read(Moment, { sort: true, filter: true }),
    sourceId: read(Id, { filter: true }),
    sourceName: joined(z.string(), { text: 'syncRun.sourceId' }),
    state: state(syncRunMachine, { filter: true }),
    reason: read(z.string().nullable()),
    received: read(z.int()),
    added: read(z.int()),
    same: read(z.int()),
    conflicts: read(z.int()),
    unreadable: read(z.int()),
    byName: read(z.string()),
    endedAt: read(Moment.nullable()),
  },
  { rowClass: 'owned', order: '-startedAt', search: { text: ['byName'] } },
);

/** One terminal of which a register says something else, both sides beside each other. */
export const SyncConflict = entity(
  'syncConflict',
  {
    sn: read(z.string(), { sort: true, code: true, text: 'device.sn' }),
    sourceId: read(Id, { filter: true }),
    sourceName: joined(z.string(), { text: 'syncConflict.sourceId' }),
    state: state(syncConflictMachine, { filter: true }),
    why: read(z.array(z.enum(syncDifferences))),
    deviceId: read(Id.nullable()),
    ourOwner: read(z.string().nullable()),
    theirOwner: read(z.string()),
    ourProduct: read(z.string().nullable()),
    theirProduct: read(z.string()),
    decidedBy: read(z.string()),
    decidedAt: read(Moment.nullable()),
    foundAt: read(Moment, { sort: true, filter: true }),
  },
  { rowClass: 'owned', order: '-foundAt', search: { text: ['sn', 'theirOwner', 'theirProduct'] } },
);

const see = 'inventory:sync:page';
const set = 'inventory:sync:update';
const decide = 'inventory:sync:decide';

export const syncSourceCalls = calls('inventory', '/tms/sync/source', {
  ...crud(
    SyncSource,
    { see, add: set, update: set, delete: set },
    { faults: { add: ['ADDRESS_NOT_PUBLIC', 'SYNC_SOURCES_MANY'], update: ['ADDRESS_NOT_PUBLIC'], delete: ['SYNC_RUNNING'] }, waits: true },
  ),
  /** Reads the register now, in the background. */
  run: call({ can: set, input: ById, output: SyncRun.row, faults: ['SYNC_RUNNING'] }),
});

const records = crud(SyncRun, { see });
export const syncRunCalls = calls('inventory', '/tms/sync/record', { page: records.page, detail: records.detail, export: records.export });

const conflicts = crud(SyncConflict, { see });
const many = z.strictObject({ of: selectionOf(SyncConflict.criteria), preview: z.boolean().default(false) });
export const syncConflictCalls = calls('inventory', '/tms/sync/conflict', {
  page: conflicts.page,
  detail: conflicts.detail,
  export: conflicts.export,
  /** What stands here stays, until the register says something else again. */
  keep: call({ can: decide, tx: 'own', input: many, output: BulkOutcome }),
  /** Terminals go to the register's owner, or get its product. */
  take: call({ can: decide, tx: 'own', input: many, output: BulkOutcome }),
});
