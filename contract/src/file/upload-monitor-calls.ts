import { z } from 'zod';
import { allowedActionsOf } from '../kit/allowed-actions.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { ById, Id, Moment, ref } from '../kit/schema.ts';
import { uploadStates } from './calls.ts';
import { fileKinds } from './kinds.ts';

const can = <A extends string>(act: A) => `file:upload:${act}` as const;
const FileType = z.enum(fileKinds.map((kind) => kind.code) as [string, ...string[]]);
/** Also those that came in one call and weren't stored. */
const monitoredStates = [...uploadStates, 'refused'] as const;
/** What is kept: files by their kind, and what the server makes of them or keeps for terminals one by one. */
export const storageKinds = [...fileKinds.map((kind) => kind.code), 'difference', 'paramSet', 'signing'] as const;

/** What keeps a file. */
export const fileUses = [
  'advert',
  'app',
  'appVersion',
  'approval',
  'customization',
  'desktop',
  'help',
  'maintenance',
  'notice',
  'order',
  'package',
  'product',
  'sdk',
] as const;
export const FileUse = z.enum(fileUses);
export type FileUse = z.output<typeof FileUse>;

/** An upload, under way or ended; one that has ended is remembered for a week, one in parts that nobody goes on with for a day. */
export const Upload = z.object({
  id: Id,
  fileName: z.string(),
  fileType: FileType,
  size: z.number(),
  /** Bytes that are here, and their parts. */
  sent: z.number(),
  partsSent: z.int(),
  parts: z.int(),
  state: z.enum(monitoredStates),
  /** In parts, or in one call: that stands here when it has ended. */
  way: z.enum(['parts', 'direct']),
  /** A fault's name. */
  reason: z.string().nullable(),
  userName: z.string().nullable(),
  deptName: z.string().nullable(),
  createdAt: Moment,
  touchedAt: Moment,
  /** From its beginning to its last byte. */
  seconds: z.number(),
  bytesPerSecond: z.number().nullable(),
  ...allowedActionsOf(['cancel']),
});

/** A stored file. What nothing uses may be deleted. */
export const StoredFile = z.object({
  id: Id,
  fileName: z.string(),
  fileType: FileType,
  size: z.number(),
  userName: z.string().nullable(),
  deptName: z.string().nullable(),
  createdAt: Moment,
  /** When it goes by itself. */
  expiresAt: Moment.nullable(),
  used: z.boolean(),
  ...allowedActionsOf(['delete']),
});

/** What an organisation keeps, itself and with all below it, and the most that it and those below may keep. */
export const Storage = z.object({
  id: Id,
  name: z.string(),
  files: z.int(),
  bytes: z.number(),
  below: z.number(),
  quota: z.number().nullable(),
  ...allowedActionsOf(['quota']),
});

/** Files that nothing names any more, of one organisation and kind. */
export const Unused = z.object({
  deptId: Id,
  deptName: z.string(),
  kind: FileType,
  files: z.int(),
  bytes: z.number(),
  /** Since when the oldest of them isn't used. */
  since: Moment,
  ...allowedActionsOf(['clean']),
});

const uploads = {
  fileName: filter.text(),
  state: filter.exact(z.enum(monitoredStates)),
  fileType: filter.exact(FileType),
  /** Whose organisation's they are, without those below it. */
  deptId: filter.exact(Id),
  /** Who uploaded them. */
  userId: filter.exact(Id),
  createdAt: filter.moment(),
};
const files = {
  fileName: filter.text(),
  fileType: filter.exact(FileType),
  deptId: filter.exact(Id),
  userId: filter.exact(Id),
  createdAt: filter.moment(),
};
const storage = { name: filter.text() };
export const GB = 1024 ** 3;
/** As many people are told apart by what they uploaded. */
export const MOST_UPLOADERS = 10;
/** As many lines of what may be cleaned are shown. */
export const MOST_UNUSED = 200;
/** As many of its files are named before they are cleaned. */
export const MOST_NAMED = 100;

/** Uploads, and what is stored (specification section 1, upload monitoring). */
export const uploadMonitorCalls = calls('file', '/uploadFileMonitor', {
  page: call({ can: can('page'), reads: true, input: pageQuery(uploads, ['-createdAt', 'size']), output: pageOf(Upload) }),
  export: exporting(can('page'), criteriaOf(uploads)),
  cancel: call({ can: can('cancel'), tx: 'own', input: ById, faults: ['UPLOAD_ENDED'] }),
  files: call({
    can: can('page'),
    reads: true,
    path: '/uploadFileMonitor/file/page',
    input: pageQuery(files, ['-createdAt', 'size']),
    output: pageOf(StoredFile),
  }),
  fileExport: exporting(can('page'), criteriaOf(files)),
  /** What keeps a file: what the caller may see by its name and where it is looked at, and how much else there is. */
  uses: call({
    can: can('page'),
    reads: true,
    path: '/uploadFileMonitor/file/uses',
    input: ById,
    output: z.object({
      uses: z.array(z.object({ what: FileUse, name: z.string(), link: z.string().nullable() })),
      others: z.int(),
    }),
  }),
  delete: call({ can: can('delete'), path: '/uploadFileMonitor/file/delete', input: ById, faults: ['FILE_IN_USE'] }),
  /** People of the scope, for the picker of who uploaded something. */
  people: call({
    can: can('page'),
    reads: true,
    input: z.strictObject({ text: z.string().max(64).default(''), ids: z.array(z.int()).max(500).optional() }),
    output: z.array(z.object({ id: Id, name: z.string(), account: z.string(), deptName: z.string() })),
  }),
  /** Who uploaded the most in the last week: what was stored, and how many weren’t. */
  uploaders: call({
    can: can('page'),
    reads: true,
    output: z.array(z.object({ id: Id, name: z.string(), files: z.int(), bytes: z.number(), failed: z.int() })),
  }),
  /** For whoever brings files: what their organisation keeps, and what may come yet by its quota and those above it. */
  own: call({
    can: 'session',
    reads: true,
    path: '/uploadFileMonitor/storage/own',
    output: z.object({ kept: z.number(), quota: z.number().nullable(), room: z.number().nullable() }),
  }),
  kinds: call({
    can: can('page'),
    reads: true,
    path: '/uploadFileMonitor/storage/kinds',
    output: z.array(z.object({ kind: z.enum(storageKinds), files: z.int(), bytes: z.number() })),
  }),
  storage: call({
    can: can('page'),
    reads: true,
    path: '/uploadFileMonitor/storage/page',
    input: pageQuery(storage, ['-bytes', 'name']),
    output: pageOf(Storage),
  }),
  storageExport: exporting(can('page'), criteriaOf(storage)),
  /** Those with the most bytes; the export has all. */
  unused: call({ can: can('page'), reads: true, path: '/uploadFileMonitor/unused/list', output: z.array(Unused) }),
  /** The files of one of its lines, the largest first. */
  unusedFiles: call({
    can: can('page'),
    reads: true,
    path: '/uploadFileMonitor/unused/files',
    input: z.strictObject({ deptId: ref('dept'), kind: FileType }),
    output: z.array(z.object({ id: Id, fileName: z.string(), size: z.number(), since: Moment })),
  }),
  unusedExport: exporting(can('page'), z.strictObject({})),
  clean: call({
    can: can('clean'),
    path: '/uploadFileMonitor/unused/clean',
    input: z.strictObject({ deptId: ref('dept'), kind: FileType }),
    output: z.object({ files: z.int(), bytes: z.number(), more: z.boolean() }),
    about: 'Deletes the files of this organisation and kind that nothing names any more, two thousand at a time.',
  }),
  quota: call({
    can: can('quota'),
    path: '/uploadFileMonitor/storage/quota',
    input: z.strictObject({
      deptId: ref('dept'),
      /** Gigabytes; null: as much as there is. */
      gigabytes: z.number().min(0).max(1_000_000).nullable().default(null),
    }),
    output: Storage,
    faults: ['QUOTA_FROM_ABOVE'],
  }),
});
