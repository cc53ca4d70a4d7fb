import { z } from 'zod';
import { auditResults } from '../engines/approval/steps.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { Id, Moment } from '../kit/schema.ts';
import { stateOf } from '../kit/state-machine.ts';
import { SiteUrl } from '../shared/patterns.ts';
import { appPublishMachine, appReviewMachine, developerMachine } from './state-machines.ts';

export const appChannels = ['release', 'test'] as const;
/** For whom a version is: its owner and all below it, listed organisations, or listed terminals. */
export const appScopes = ['0', '1', '2'] as const;
export const MOST_SCREENSHOTS = 8;
export const MOST_APP_DEPTS = 100;
export const MOST_APP_SNS = 1000;
export const MOST_APP_PRODUCTS = 50;
const MOST_LANGUAGES = 20;
/** What is said of a version where the reader's own language has nothing. */
export const LISTING_BASE = 'en';

const Language = z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, 'invalid.app.language');
const ListingText = z.strictObject({
  name: z.string().trim().min(1).max(64),
  summary: z.string().trim().max(120).default(''),
  description: z.string().trim().max(20_000).default(''),
  whatsNew: z.string().trim().max(4000).default(''),
});
export type ListingText = z.output<typeof ListingText>;

/** What the catalogue says of a version, by language; English is always there. */
export const Listing = z
  .record(Language, ListingText)
  .refine((texts) => texts[LISTING_BASE] !== undefined && Object.keys(texts).length <= MOST_LANGUAGES, 'invalid.app.listing');
export type Listing = z.output<typeof Listing>;

const Signer = z.object({ subject: z.string(), issuer: z.string(), notBefore: Moment, notAfter: Moment });
const ListedDept = z.object({ id: Id, name: z.string() });
/** Where its Android isn't known, nothing says whether a package runs on it. */
const ListedProduct = ListedDept.extend({ androidSdk: z.int().nullable() });

/** An app of an organisation, known by its package name. What it is called and looks like is of the version that was listed last. */
export const App = entity(
  'app',
  {
    packageName: read(z.string(), { sort: true, code: true }),
    name: read(z.string(), { sort: true }),
    iconId: read(Id.nullable()),
    deptId: read(Id, { filter: true }),
    deptName: joined(z.string(), { text: 'app.deptId' }),
    /** Others subscribe to it at once, or when its owner agrees. */
    subscription: read(z.enum(['free', 'asked'])),
    /** Of the newest version that the reader sees. */
    versionId: joined(Id.nullable()),
    versionName: joined(z.string()),
    versionCode: joined(z.number()),
    channel: joined(z.enum(appChannels)),
    reviewState: joined(stateOf(appReviewMachine), { names: 'app.review.' }),
    publishState: joined(stateOf(appPublishMachine), { names: 'app.publish.' }),
    /** Of the newest one in the catalogue. */
    listedName: joined(z.string().nullable()),
    listedCode: joined(z.number().nullable()),
    products: joined(z.array(z.string())),
    versions: joined(z.int()),
    /** It is of the reader's range, who sees more of it than the catalogue does. */
    own: joined(z.boolean()),
    /** Of an organisation neither above nor below the reader's, whose blacklist doesn't name it: it may be subscribed to. */
    subscribable: joined(z.boolean()),
    /** Its owner has shut out the reader's organisation, or one above it. */
    blocked: joined(z.boolean()),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true }),
    updatedAt: read(Moment, { sort: true }),
  },
  { rowClass: 'inherited', order: '-updatedAt', search: { text: ['name', 'packageName'] }, title: 'app.many' },
);

/** One version of an app: what its package says of itself, what the catalogue says of it, and how far it has come. */
export const AppVersion = entity(
  'appVersion',
  {
    appId: read(Id, { filter: true }),
    appName: joined(z.string()),
    packageName: read(z.string(), { code: true }),
    iconId: read(Id.nullable()),
    versionName: read(z.string()),
    versionCode: read(z.number(), { sort: true }),
    reviewState: state(appReviewMachine, { filter: true }),
    publishState: read(stateOf(appPublishMachine), { filter: true, names: 'app.publish.' }),
    /** What its review came to; null as long as it isn't handed in. */
    auditResult: read(z.enum(Object.values(auditResults)).nullable(), { filter: true }),
    channel: read(z.enum(appChannels), { filter: true }),
    scope: read(z.enum(appScopes)),
    fileId: read(Id),
    fileName: read(z.string()),
    size: read(z.number()),
    sha256: read(z.string()),
    md5: read(z.string()),
    certificateSha256: read(z.string()),
    signer: read(Signer.nullable()),
    lineage: read(z.array(z.string())),
    schemes: read(z.array(z.string())),
    validFrom: read(z.int()),
    minSdk: read(z.int()),
    targetSdk: read(z.int()),
    maxSdk: read(z.int().nullable()),
    abis: read(z.array(z.string())),
    permissions: read(z.array(z.string())),
    /** What terminals call it, by language; '' is the name in every other one. */
    labels: read(z.record(z.string(), z.string())),
    /** Whose user it runs as; '' is its own. */
    sharedUser: read(z.string()),
    features: read(z.array(z.string())),
    debuggable: read(z.boolean()),
    testOnly: read(z.boolean()),
    publicTestKey: read(z.boolean()),
    listing: read(z.record(z.string(), ListingText)),
    screenshots: read(z.array(Id)),
    products: joined(z.array(ListedProduct)),
    depts: joined(z.array(ListedDept)),
    sns: joined(z.array(z.string())),
    /** Of what was submitted: the package, and all that is said of it. A reviewer approves exactly this. */
    contentHash: read(z.string()),
    comment: read(z.string()),
    decidedBy: read(z.string()),
    /** Who was away, and for whom it was decided. */
    decidedFor: joined(z.array(z.string())),
    decidedAt: read(Moment.nullable()),
    submittedBy: read(z.string()),
    submittedAt: read(Moment.nullable(), { sort: true }),
    listedAt: read(Moment.nullable()),
    deptId: read(Id, { filter: true }),
    deptName: joined(z.string(), { text: 'appVersion.deptId' }),
    own: joined(z.boolean()),
    /** The reader may send it to terminals: of the own range or listed for it, and subscribed to where that is needed. */
    releasable: joined(z.boolean()),
    revision: read(z.int()),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'inherited', order: '-createdAt', search: { text: ['packageName', 'versionName'] }, title: 'appVersion.many' },
);

const Line = (most: number) => z.string().trim().max(most).default('');

/** An organisation that brings apps, or wants to. */
export const Developer = entity(
  'developer',
  {
    deptId: read(Id),
    deptName: joined(z.string(), { text: 'developer.deptId' }),
    contactName: field(z.string().trim().min(1).max(64)),
    email: field(z.email().max(254)),
    phone: field(Line(32)),
    website: field(SiteUrl.max(200, 'invalid.url').or(z.literal('')).default('')),
    about: field(Line(2000), { help: true }),
    state: state(developerMachine, { filter: true }),
    reason: read(z.string()),
    decidedBy: read(z.string()),
    appliedBy: read(z.string()),
    appliedAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: '-appliedAt', search: { text: ['contactName', 'email'] }, title: 'developer.many' },
);
