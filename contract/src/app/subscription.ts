import { z } from 'zod';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { field, joined, read, state } from '../kit/field.ts';
import { crud } from '../kit/resource-calls.ts';
import { ById, Day, Id, Moment, ref, revises, secret } from '../kit/schema.ts';
import { appSubscriptionMachine } from './state-machines.ts';

/** Of specification section 4: validity 0 valid, 1 invalid; blacklist 0 normal, 1 blacklist. */
const Flag = z.enum(['0', '1']);
export const sides = ['subscriber', 'owner'] as const;
/** The secret of before counts so long beside a new one, so that whoever uses it can change over. */
export const OVERLAP_HOURS = 24 * 7;
/** Links to packages hold for so long, also when the subscription ends before: whoever needs another asks again. */
export const LINK_HOURS = 1;

/** That an organisation takes an app which another one brings. */
export const AppSubscription = entity(
  'appSubscription',
  {
    appId: field(ref('app'), { fixed: true, filter: true }),
    appName: read(z.string(), { sort: true }),
    packageName: read(z.string(), { code: true }),
    ownerName: read(z.string()),
    deptId: read(Id),
    deptName: read(z.string()),
    state: state(appSubscriptionMachine, { filter: true }),
    /** Whether it holds now: active, within its term, not on the blacklist. */
    validity: joined(Flag),
    blacklist: read(Flag, { filter: true }),
    validUntil: read(Day.nullable()),
    /** The only version that is taken; none: the newest that is listed. */
    versionId: field(ref('appVersion').nullable().default(null)),
    /** Of the version that is taken now. */
    versionName: joined(z.string().nullable()),
    versionCode: joined(z.number().nullable()),
    note: field(z.string().trim().max(500).default('')),
    reason: read(z.string()),
    appKey: read(z.string(), { code: true }),
    hasSecret: joined(z.boolean()),
    oldSecretUntil: read(Moment.nullable()),
    /** When the subscriber asked for another term, until its owner sets one. */
    termAskedAt: read(Moment.nullable()),
    side: joined(z.enum(sides), { names: 'appSubscription.side.' }),
    /** Of the organisation that the reader acts for, not of one below it. */
    mine: joined(z.boolean(), { filter: true }),
    createdBy: read(z.string()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'inherited', order: '-createdAt', search: { text: ['appName', 'packageName', 'deptName'] }, title: 'appSubscription.many' },
);

const can = <A extends string>(act: A) => `app:sub:${act}` as const;
const see: `${string}:${string}` = can('page');
const { id } = ById.shape;
const Reason = z.string().trim().min(1).max(500);
const { add, update, ...seen } = crud(
  AppSubscription,
  { see, add: can('add'), update: can('add') },
  { faults: { add: ['APP_SUBSCRIBED', 'APP_OWN', 'APP_NOT_LISTED', 'SUBSCRIPTION_BLOCKED'] } },
);

/** Subscriptions of one's own, and those of others to one's own apps. */
export const appSubscriptionCalls = calls('app', '/app/subscribe', {
  ...seen,
  /** At once where the app is free; otherwise its owner is asked. */
  add,
  /** Another version, or the newest from now on; and what one notes about it. */
  update: { ...update, faults: ['APP_NOT_LISTED'] },
  accept: call({
    can: can('decide'),
    input: z.strictObject({ id, validUntil: Day.nullable().default(null) }),
    output: AppSubscription.row,
    faults: ['DAY_PAST'],
    tx: 'own',
  }),
  refuse: call({ can: can('decide'), input: z.strictObject({ id, reason: Reason }), output: AppSubscription.row, tx: 'own' }),
  end: call({ can: can('add'), input: z.strictObject({ id }), output: AppSubscription.row, tx: 'own' }),
  /** Asks the owner for another term; app key and secret stay. Again a week later, where none was set. */
  renew: call({
    can: can('add'),
    input: z.strictObject({ id, comment: z.string().trim().max(500).default('') }),
    output: AppSubscription.row,
    tx: 'own',
  }),
  /** The owner shuts a subscriber out, or lets it in again; how long it holds. */
  term: call({
    can: can('decide'),
    input: z.strictObject({
      id,
      ...revises('appSubscription'),
      validUntil: Day.nullable(),
      blacklist: Flag,
      reason: z.string().trim().max(500).default(''),
    }),
    output: AppSubscription.row,
    tx: 'own',
  }),
  /** Whom an app may be kept from: organisations that took it or asked for it and those of one's range, by a part of their name; others by the whole of it. */
  blockable: call({
    can: can('decide'),
    reads: true,
    input: z.strictObject({ appId: ref('app'), text: z.string().trim().max(64).default('') }),
    output: z.array(z.object({ id: Id, name: z.string() })),
    about: 'The first 50.',
  }),
  /** The owner shuts an organisation and all below it out of an app, whether or not it ever subscribed. */
  block: call({
    can: can('decide'),
    input: z.strictObject({
      appId: ref('app'),
      deptId: Id,
      /** Its whole name, so that nobody learns by counting ids who is here. */
      deptName: z.string().trim().min(1).max(200),
      reason: Reason,
    }),
    output: AppSubscription.row,
    faults: ['BLOCK_OWN'],
    tx: 'own',
  }),
  unblock: call({
    can: can('decide'),
    input: z.strictObject({ id, reason: z.string().trim().max(500).default('') }),
    output: AppSubscription.row,
    tx: 'own',
  }),
  /** A new secret for its app key, shown in this answer alone. The one of before counts for as long as is said, and those before it for as long as was said of them; with no overlap none counts any more. */
  rotate: call({
    can: can('key'),
    stepUp: true,
    tx: 'own',
    input: z.strictObject({ id, overlapHours: z.int().min(0).max(OVERLAP_HOURS).default(24) }),
    output: z.object({ appKey: z.string(), secret: z.string() }),
    faults: ['SUBSCRIPTION_INVALID'],
  }),
  /** Whether organisations subscribe to an app at once, or when its owner agrees. */
  mode: call({ can: can('decide'), input: z.strictObject({ appId: ref('app'), mode: z.enum(['free', 'asked']) }) }),
});

const Package = z.object({
  /** A path on this server. */
  url: z.string(),
  expiresAt: Moment,
  packageName: z.string(),
  versionName: z.string(),
  versionCode: z.number(),
  size: z.number(),
  sha256: z.string(),
});

/** Where packages of subscribed apps are, for a while. */
export const appUrlCalls = calls('app', '/app/url', {
  link: call({
    can: see,
    input: ById,
    output: Package,
    faults: ['SUBSCRIPTION_INVALID', 'APP_NOT_LISTED'],
  }),
  /** The same for another system, which shows key and secret of the subscription. */
  fetch: call({
    can: 'public',
    input: z.strictObject({
      appKey: z.string().max(64),
      secret: secret(z.string().max(128)),
    }),
    output: Package,
    faults: ['APP_KEY_WRONG', 'SUBSCRIPTION_INVALID', 'APP_NOT_LISTED'],
  }),
});
