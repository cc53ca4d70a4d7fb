import { z } from 'zod';
import { GivenFiles, KeptFile } from '../engines/approval/schemas.ts';
import { PublishPlace } from '../engines/rollout/publish-place.ts';
import { Tally } from '../engines/rollout/schemas.ts';
import { taskPermission } from '../engines/rollout/task-kind.ts';
import { quotaFaults } from '../file/calls.ts';
import { call, calls } from '../kit/call.ts';
import { exporting } from '../kit/export.ts';
import { BulkOutcome, bulkOf, criteriaOf, filter, pageOf, pageQuery } from '../kit/page.ts';
import { crud } from '../kit/resource-calls.ts';
import { ById, Id, Moment, ref, revises } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { androidParamKind } from '../paramfile/android-kind.ts';
import { profileKinds } from '../signing/profile.ts';
import {
  App,
  AppVersion,
  appChannels,
  appScopes,
  Developer,
  Listing,
  MOST_APP_DEPTS,
  MOST_APP_PRODUCTS,
  MOST_APP_SNS,
  MOST_SCREENSHOTS,
} from './schemas.ts';
import { appReviewMachine } from './state-machines.ts';

const dev = <A extends string>(act: A) => `app:dev:${act}` as const;
const can = <A extends string>(act: A) => `app:app:${act}` as const;
const see: `${string}:${string}` = `${can('page')}||${dev('page')}`;
/** Of whom it is for, as it stands when it is handed in. */
const audienceFaults = ['APP_NO_PRODUCT', 'APP_ANDROID', 'APP_ABI', 'APP_SN_UNKNOWN', 'APP_TEST_SCOPE'] as const;
const listing: `${string}:${string}` = `${dev('submit')}||${can('delist')}`;
const { id } = ById.shape;
const Words = z.string().trim().min(1).max(2000);
const MaybeWords = Words.or(z.literal('')).default('');

const appFilters = {
  text: filter.text(),
  reviewState: filter.exact(stateOf(appReviewMachine)),
  channel: filter.exact(z.enum(appChannels)),
  deptId: filter.exact(Id),
  productId: filter.exact(Id),
  /** Of one's own organisation alone. */
  own: z.boolean(),
};

export const appCalls = calls('app', '/softApp', {
  page: call({ can: see, reads: true, input: pageQuery(appFilters, App.sorts), output: pageOf(App.row) }),
  detail: call({ can: see, reads: true, input: ById, output: App.row }),
  export: exporting(see, criteriaOf(appFilters)),
});

const fromFile = { appId: ref('app').nullable().default(null), channel: z.enum(appChannels).default('release') };
const packageFaults = [
  'PACKAGE_UNREADABLE',
  'APP_PACKAGE_NAME',
  'APP_CODE_LOW',
  'APP_CODE_TAKEN',
  'APP_CERTIFICATE',
  'APP_SIGNATURE',
  'APP_SIGNERS',
  'APP_TEST_ONLY',
  'APP_ANDROID',
  'APP_ABI',
  'APP_NOT_DEVELOPER',
  'FILE_KIND_REFUSED',
];
/** The JSON part `req` of an upload in one call. */
export const UploadInfo = z.strictObject({ ...fromFile, appId: Id.nullable().default(null) });
const bulk = bulkOf(AppVersion.criteria);
/** What a reviewer approves, by its parts. */
export const reviewedParts = ['sha256', 'listing', 'screenshots', 'channel', 'scope', 'productIds', 'deptIds', 'sns'] as const;

/** Terminals that a version is tried on at once. */
export const MOST_TRIED = 20;

export const appVersionCalls = calls('app', '/appRelease', {
  ...crud(AppVersion, { see, delete: dev('delete') }, { faults: { delete: ['APP_VERSION_LISTED', 'APP_VERSION_TRIED'] } }),
  /** Reads an uploaded package; everything that it says of itself is taken from it. A first version makes the app. */
  add: call({
    can: dev('add'),
    input: z.strictObject({ fileId: ref('file'), ...fromFile }),
    output: AppVersion.row,
    faults: packageFaults,
    tx: 'own',
    timeout: 180,
  }),
  /** The same of a package in one call, for build servers: multipart, the JSON part `req`, then `file`. */
  upload: call({
    can: dev('add'),
    wire: 'multipart',
    output: AppVersion.row,
    faults: [...packageFaults, 'FILE_TOO_LARGE', 'FILE_NOT_GENUINE', 'HASH_MISMATCH', 'NO_SPACE', ...quotaFaults],
    tx: 'own',
    timeout: 600,
    about: 'Multipart: JSON part `req` with `appId` and `channel`, either of which may be left out, then `file`.',
  }),
  update: call({
    can: dev('update'),
    input: z.strictObject({
      id,
      ...revises('appVersion'),
      listing: Listing,
      screenshots: z.array(Id).max(MOST_SCREENSHOTS).default([]),
      channel: z.enum(appChannels).default('release'),
      productIds: z.array(ref('product')).max(MOST_APP_PRODUCTS).default([]),
      scope: z.enum(appScopes).default('0'),
      deptIds: z.array(ref('dept')).max(MOST_APP_DEPTS).default([]),
      sns: z.array(z.string().trim().min(1).max(32)).max(MOST_APP_SNS).default([]),
    }),
    output: AppVersion.row,
    faults: [
      'APP_VERSION_FIXED',
      'APP_ANDROID',
      'APP_ABI',
      'APP_CODE_LOW',
      'APP_CERTIFICATE',
      'APP_TEST_ONLY',
      'APP_CHANNEL_LISTED',
      'FILE_KIND_REFUSED',
      'APP_SN_UNKNOWN',
      'APP_TEST_SCOPE',
    ],
  }),
  submit: call({
    can: dev('submit'),
    input: z.strictObject({ id, ...revises('appVersion'), comment: MaybeWords, files: GivenFiles }),
    output: AppVersion.row,
    faults: ['APP_NOT_DEVELOPER', 'APP_CODE_LOW', 'APP_CERTIFICATE', 'FILE_KIND_REFUSED', ...audienceFaults],
  }),
  withdraw: call({ can: dev('submit'), input: ById, output: AppVersion.row }),
  /** Exactly what was submitted, as `contentHash` says; where it is another by now the reviewer is told. */
  approve: call({
    can: can('review'),
    input: z.strictObject({
      id,
      contentHash: z.string().length(64),
      /** In whose catalogue, and of all below it, the reviewer means to have it: their own organisation. */
      marketId: Id,
      publish: z.boolean().default(true),
      comment: MaybeWords,
      files: GivenFiles,
    }),
    output: AppVersion.row,
    faults: [
      'APP_OWN_REVIEW',
      'CHANGE_ONE_HAND',
      'APP_CHANGED',
      'FILE_KIND_REFUSED',
      'APP_ANDROID',
      'APP_ABI',
      'APP_CODE_LOW',
      'APP_CERTIFICATE',
      'APP_NOT_DEVELOPER',
    ],
  }),
  reject: call({
    can: can('review'),
    input: z.strictObject({ id, contentHash: z.string().length(64), comment: Words, files: GivenFiles }),
    output: AppVersion.row,
    faults: ['APP_OWN_REVIEW', 'FILE_KIND_REFUSED'],
  }),
  /** Who is away, and for whom the reviewer decides on a version that waits. */
  standsInFor: call({ can: can('review'), reads: true, input: ById, output: z.array(z.string()) }),
  /** Where it can be tried: test terminals of its products, at and below the reviewer's organisation. */
  testTerminals: call({
    can: can('review'),
    reads: true,
    input: z.strictObject({
      id,
      text: z.string().trim().max(64).default(''),
      ids: z.array(ref('device')).max(MOST_TRIED).optional(),
    }),
    output: z.array(z.object({ id: Id, sn: z.string(), name: z.string(), productName: z.string(), deptName: z.string() })),
    about: 'The first 50 by SN, found by parts of SN, name or product; or those of the numbers.',
  }),
  /** Part of the review: what waits goes to test terminals now. It stops when the version is rejected or withdrawn. */
  trial: call({
    can: can('review'),
    input: z.strictObject({ id, contentHash: z.string().length(64), deviceIds: z.array(ref('device')).min(1).max(MOST_TRIED) }),
    output: z.object({ id: Id, name: z.string(), terminals: z.int() }),
    faults: ['APP_TRIAL', 'APP_OWN_REVIEW'],
  }),
  /** Cancels what is under way of its trials, and takes it off the terminals that they brought it to. */
  endTrial: call({ can: can('review'), input: ById, output: z.object({ cancelled: z.int(), uninstalling: z.int() }) }),
  delist: call({
    can: listing,
    input: z.strictObject({ id, comment: Words, files: GivenFiles }),
    output: AppVersion.row,
    faults: ['FILE_KIND_REFUSED'],
  }),
  relist: call({
    can: listing,
    input: z.strictObject({ id, comment: MaybeWords, files: GivenFiles }),
    output: AppVersion.row,
    faults: ['APP_NOT_DEVELOPER', 'FILE_KIND_REFUSED', ...audienceFaults],
  }),
  publish: call({ can: listing, input: ById, output: AppVersion.row, faults: ['APP_NOT_APPROVED', 'APP_NOT_DEVELOPER', 'APP_WITHHELD'] }),
  unpublish: call({ can: listing, input: ById, output: AppVersion.row }),
  /** A version beside the highest one below it that is in the catalogue, of the release channel where it is of that; else the highest that was listed. */
  compare: call({
    can: see,
    reads: true,
    input: ById,
    output: z.object({
      now: AppVersion.row,
      before: AppVersion.row.nullable(),
      /** Others that bring an app by this package name: a terminal takes one of them. The newest first, at most ten. */
      namesakes: z.array(z.object({ appId: Id, deptName: z.string(), sameKey: z.boolean() })),
      /** What is another than when it was submitted before. */
      changes: z.array(z.enum(reviewedParts)),
    }),
  }),
  /** Where it can be downloaded: for those in whose organisation it is. */
  places: call({ can: see, reads: true, input: ById, output: z.array(PublishPlace) }),
  /** What profiles of its products ask of its signature, and whether it is as they do. */
  profiles: call({
    can: see,
    reads: true,
    input: ById,
    output: z.array(
      z.object({
        productName: z.string(),
        profileName: z.string(),
        kind: z.enum(profileKinds),
        root: z.string(),
        /** Null: its certificates are still to be read. */
        satisfied: z.boolean().nullable(),
      }),
    ),
  }),
  /** Parameter templates whose results may travel along with it: for one of its products, or for all. The newest 50 that match. */
  templates: call({
    can: taskPermission(androidParamKind, 'add'),
    reads: true,
    input: z.strictObject({
      id,
      /** Of the release, where it is for one product alone. */
      productId: ref('product').nullable().default(null),
      text: z.string().trim().max(64).default(''),
    }),
    output: z.array(z.object({ id: Id, name: z.string(), productName: z.string().nullable() })),
  }),
  /** How a version fares on the terminals of the reader's scope. */
  onTerminals: call({
    can: see,
    reads: true,
    input: ById,
    output: z.object({
      /** Terminals with exactly this version, and those with another one of the app. */
      installed: z.int(),
      others: z.int(),
      /** Results of its releases by state, as a release counts them. */
      tally: Tally,
      reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
      /** Of terminals of all subscribers together, for whoever brought the app; of no one else's version. */
      subscribers: z.object({ tally: Tally, reasons: z.array(z.object({ reason: z.string(), count: z.int() })) }).nullable(),
      /** Its trials under way, and terminals that have it by one; of a reviewer's scope. */
      trial: z.object({ open: z.int(), installed: z.int() }),
    }),
  }),
  history: call({
    can: see,
    reads: true,
    input: z.strictObject({ appId: ref('app'), before: Id.optional(), size: z.int().min(1).max(100).default(30) }),
    output: z.object({
      content: z.array(
        z.object({
          id: Id,
          versionId: Id,
          versionName: z.string(),
          versionCode: z.number(),
          life: z.enum(['appReview', 'appPublish']),
          event: z.string(),
          text: z.string(),
          by: z.string(),
          /** Who was away, and for whom it was decided. */
          onBehalfOf: z.array(z.string()),
          /** What was given with it. */
          files: z.array(KeptFile),
          at: Moment,
        }),
      ),
      next: Id.nullable(),
    }),
  }),
  submitMany: call({ can: dev('submit'), input: bulk, output: BulkOutcome, tx: 'own' }),
  delistMany: call({ can: listing, input: bulk.extend({ comment: Words }), output: BulkOutcome, tx: 'own' }),
  deleteMany: call({ can: dev('delete'), input: bulk, output: BulkOutcome, tx: 'own' }),
});

const developerActs = can('developer');
const fromAbove = ['APP_DEVELOPER_ABOVE'];
const Reasoned = z.strictObject({ id, reason: Words });
const { page, detail, export: exportPage } = crud(Developer, { see: developerActs });

/** Organisations that bring apps. */
export const developerCalls = calls('app', '/softApp/developer', {
  page,
  detail,
  export: exportPage,
  /** What the own organisation is; null where it never applied. */
  own: call({ can: dev('page'), reads: true, output: Developer.row.nullable() }),
  apply: call({ can: dev('apply'), input: Developer.add, output: Developer.row, faults: ['APP_DEVELOPER_KNOWN'] }),
  accept: call({ can: developerActs, input: ById, output: Developer.row, faults: fromAbove }),
  resume: call({ can: developerActs, input: ById, output: Developer.row, faults: fromAbove }),
  refuse: call({ can: developerActs, input: Reasoned, output: Developer.row, faults: fromAbove }),
  suspend: call({ can: developerActs, input: Reasoned, output: Developer.row, faults: fromAbove }),
});
