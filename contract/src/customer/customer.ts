import { z } from 'zod';
import { eventLevels } from '../device/messages.ts';
import { call, calls } from '../kit/call.ts';
import { entity } from '../kit/entity.ts';
import { asked, field, joined, read, state } from '../kit/field.ts';
import { crud, moves } from '../kit/resource-calls.ts';
import { ById, Moment, Name, ref, secret } from '../kit/schema.ts';
import { iotCustomerMachine } from './state-machines.ts';
import { isTopic } from './topic.ts';

export const iotKinds = ['aws', 'mqtt', 'https'] as const;
export const iotSignIns = ['token', 'hmac', 'password', 'certificate', 'accessKey'] as const;
/** How each kind of platform knows who sends; the first is the usual one. */
export const signInsOf = {
  aws: ['accessKey'],
  mqtt: ['password', 'certificate'],
  https: ['token', 'hmac'],
} as const satisfies Record<(typeof iotKinds)[number], readonly (typeof iotSignIns)[number][]>;
export const iotScopes = ['none', 'all', 'some'] as const;

/** Platforms of one organisation. */
export const MOST_IOT_CUSTOMERS = 10;
/** What a list shows of a backlog, or of registered terminals, at most. */
export const IOT_COUNT_CAP = 10_000;
/** Messages that one replay sends again at most. */
export const IOT_REPLAY_MOST = 10_000;
export const IOT_TOPIC = 'mooring/{product}/{sn}/{kind}';

/** Always over TLS. Secrets belong into their own field: an address stands in lists and in the log. */
const address = (protocol: RegExp) =>
  z
    .url({ protocol, error: 'invalid.iotAddress' })
    .max(512)
    .refine((url) => !/^\w+:\/\/[^/?#]*@/.test(url), 'invalid.urlSecret');
const Topic = z.union([z.literal(''), z.string().trim().max(256).refine(isTopic, 'invalid.iotTopic')]).default(IOT_TOPIC);
const Pem = z
  .string()
  .trim()
  .max(16_000)
  .refine((text) => text === '' || /^-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----$/.test(text), 'invalid.iotPem')
  .default('');
const Names = z.array(z.string().trim().min(1).max(64)).max(100).default([]);
const word = (max: number) => z.string().trim().max(max).default('');

/** An outside IoT platform, and what of which terminals goes there. */
export const IotCustomer = entity(
  'iotCustomer',
  {
    name: field(Name, { sort: true, unique: 'IOT_CUSTOMER_TAKEN' }),
    deptId: field(ref('dept'), { fixed: true, help: true }),
    deptName: joined(z.string(), { text: 'iotCustomer.deptId' }),
    kind: field(z.enum(iotKinds), { fixed: true, filter: true }),
    state: state(iotCustomerMachine, { filter: true }),
    endpoint: field(address(/^(https|mqtts)$/), { help: true }),
    region: field(
      z
        .string()
        .trim()
        .regex(/^([a-z]{2}(-[a-z]+)+-\d)?$/, 'invalid.iotRegion')
        .default(''),
      { help: true },
    ),
    controlEndpoint: field(z.union([z.literal(''), address(/^https$/)]).default(''), { help: true }),
    policy: field(
      z
        .string()
        .trim()
        .regex(/^[\w+=,.@-]{0,128}$/, 'invalid.iotPolicy')
        .default(''),
      { help: true },
    ),
    topic: field(Topic, { help: true }),
    signIn: field(z.enum(iotSignIns)),
    userName: field(word(256)),
    certificate: field(Pem, { help: true }),
    secret: asked(secret(z.string().trim().max(16_000)).default(''), { help: true }),
    ca: field(Pem, { help: true }),
    properties: field(z.enum(iotScopes).default('all'), { names: 'iotCustomer.scope.' }),
    propertyNames: field(Names),
    events: field(z.enum(iotScopes).default('all'), { names: 'iotCustomer.scope.' }),
    eventNames: field(Names),
    eventLevel: field(z.enum(eventLevels).default('info'), { names: 'alertRule.param.level.' }),
    presence: field(z.boolean().default(true)),
    productIds: field(z.array(ref('product')).max(100).default([]), { help: true }),
    backlogDays: field(z.int().min(1).max(30).default(7), { help: true }),
    backlogRows: field(z.int().min(1000).max(1_000_000).default(100_000), { help: true }),
    reason: read(z.string().nullable()),
    failingSince: read(Moment.nullable()),
    deliveredAt: read(Moment.nullable()),
    dropped: read(z.int()),
    waiting: joined(z.int()),
    registered: joined(z.int()),
    createdAt: read(Moment, { sort: true }),
  },
  { rowClass: 'owned', order: '-createdAt', search: { text: ['name', 'endpoint'] } },
);

/** What a marked message came to, in the words of a fault; null where the platform took it. */
export const IotTest = z.object({ reason: z.string().nullable(), status: z.int().nullable(), tookMs: z.int() });

const see = 'customer:iot:page';
const set = 'customer:iot:update';

/** Specification section 7, `/thirdServerIot/*`. */
export const iotCustomerCalls = calls('customer', '/thirdServerIot', {
  ...crud(
    IotCustomer,
    { see, add: 'customer:iot:add', update: set, delete: 'customer:iot:delete' },
    {
      faults: { add: ['ADDRESS_NOT_PUBLIC', 'IOT_CUSTOMERS_MANY'], update: ['ADDRESS_NOT_PUBLIC'], delete: ['IOT_CUSTOMER_REGISTERED'] },
      waits: true,
    },
  ),
  ...moves(IotCustomer, { resume: set, pause: set }),
  test: call({
    can: set,
    input: ById,
    output: IotTest,
    tx: 'own',
    about: 'Sends one message that is marked as a test, and says what came of it.',
  }),
  overview: call({
    can: see,
    reads: true,
    input: ById,
    output: z.object({
      waiting: z.int(),
      capped: z.boolean(),
      oldestAt: Moment.nullable(),
      hours: z.array(z.object({ hour: Moment, sent: z.int(), refused: z.int(), dropped: z.int() })),
      faults: z.array(z.object({ at: Moment, reason: z.string() })),
    }),
    about: 'What waits, what went out in each hour of the last day, and why it last failed.',
  }),
  replay: call({
    can: set,
    input: z.strictObject({ id: ref('iotCustomer'), since: z.iso.datetime() }),
    output: z.object({ queued: z.int(), more: z.boolean(), until: Moment.nullable() }),
    about: `Sends again what went out or was rejected since a moment, with its message ids and numbers: ${IOT_REPLAY_MOST} messages at most, the oldest first. \`until\` is the moment of the last of them: where there are more, they begin there.`,
  }),
});
