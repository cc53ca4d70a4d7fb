import { z } from 'zod';
import { allowedActions } from '../../kit/allowed-actions.ts';
import { call, calls } from '../../kit/call.ts';
import { BulkOutcome, selectionOf } from '../../kit/page.ts';
import { ById, Id, Moment, ref } from '../../kit/schema.ts';
import { stateOf } from '../../kit/state-machine.ts';
import { eventLevels, ThingEvent, ThingProperty, ThingService } from '../../product/thing-model.ts';
import { Identifier, thingLimits } from '../../product/thing-types.ts';
import { deviceCriteria, seeing } from '../calls.ts';
import { COMMAND_HOURS } from '../commands.ts';
import { commandMachine } from '../state-machines.ts';

/** Where open pages of a terminal's thing model listen. */
export const THINGS = '/device/model';

const Value = z.json();
const Misfit = z.object({ problem: z.string(), at: z.string(), limit: z.number().optional() });
const given = z.record(Identifier, Value);
const send = 'device:command:send||device:all:command';

/** A command by which something was asked of the terminal, and its fate. */
const Asked = z.object({
  commandId: Id,
  state: stateOf(commandMachine),
  by: z.string().nullable(),
  at: Moment,
  answeredAt: Moment.nullable(),
  expiresAt: Moment,
  reason: z.string().nullable(),
  message: z.string().nullable(),
});

/** A property with what the terminal last said of it. */
export const LiveProperty = ThingProperty.extend({
  /** Null too where it never said anything: then there is no `reportedAt`, and `reported` is false. */
  value: Value.nullable(),
  reported: z.boolean(),
  /** Unknown of what was told before moments were kept. */
  reportedAt: Moment.nullable(),
  misfit: Misfit.nullable(),
  /** The newest value that was asked for and that it hasn't told yet, or has refused. */
  wanted: Asked.extend({ value: Value, misfit: Misfit.nullable() }).nullable(),
});
export type LiveProperty = z.output<typeof LiveProperty>;

const ServiceCall = Asked.extend({
  service: z.string(),
  input: z.record(z.string(), Value),
  output: Value.nullable(),
  misfits: z.array(Misfit),
});
export type ServiceCall = z.output<typeof ServiceCall>;

export const TerminalEvent = z.object({
  key: z.string(),
  at: Moment,
  /** The terminal's own time. */
  terminalAt: Moment,
  name: z.string(),
  level: z.enum(eventLevels),
  params: z.record(z.string(), Value),
  misfits: z.array(Misfit),
});
export type TerminalEvent = z.output<typeof TerminalEvent>;

/** What the page of a terminal shows of its thing model. */
export const ThingState = z.object({
  productId: Id,
  productName: z.string(),
  /** Null: its product has no published thing model. */
  version: z.int().nullable(),
  publishedAt: Moment.nullable(),
  properties: z.array(LiveProperty),
  /** What it says of itself that its product's model doesn't name. */
  others: z.array(z.object({ id: z.string(), value: Value.nullable(), reportedAt: Moment.nullable() })),
  services: z.array(ThingService.extend({ calls: z.array(ServiceCall) })),
  events: z.array(ThingEvent),
  /** Which of the commands it says that it can carry out. */
  can: z.object({ set: z.boolean(), get: z.boolean(), call: z.boolean() }),
  /** The newest request for values: while it waits, and where it came to nothing until the terminal tells some. */
  asked: Asked.nullable(),
  ...allowedActions,
});
export type ThingState = z.output<typeof ThingState>;

/** A month: whatever isn't taken by then was meant for a terminal that is gone. */
export const COMMAND_HOURS_MOST = 720;
const hours = z.int().min(1).max(COMMAND_HOURS_MOST).default(COMMAND_HOURS);
const Sent = z.object({ commandId: Id });

/** Specification section 7, `model` of `/device/*`: what a terminal's product says of it, live. */
export const deviceThingCalls = calls('device', THINGS, {
  read: call({ can: seeing, reads: true, input: ById, output: ThingState }),
  settable: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ productId: ref('product') }),
    output: z.object({ properties: z.array(ThingProperty) }),
    about: 'Properties of a product’s published model that can be set; none where it has no model.',
  }),
  set: call({
    can: send,
    input: z.strictObject({ id: ref('device'), values: given, hours }),
    output: Sent,
    faults: ['THING_VALUES', 'THING_NONE', 'DEVICE_STATE'],
    about: 'Sets properties: the command `propertySet`. Older ones that set nothing else and aren’t answered yet are withdrawn.',
  }),
  setMany: call({
    can: send,
    tx: 'own',
    input: z.strictObject({
      of: selectionOf(deviceCriteria),
      productId: ref('product'),
      values: given,
      hours,
      preview: z.boolean().default(false),
    }),
    output: BulkOutcome,
    faults: ['THING_VALUES', 'THING_NONE'],
    about: 'The same on many terminals of one product; those of others are refused.',
  }),
  request: call({
    can: send,
    input: z.strictObject({ id: ref('device'), names: z.array(Identifier).max(thingLimits.entries).default([]), hours }),
    output: Sent,
    faults: ['THING_VALUES', 'THING_NONE', 'DEVICE_STATE'],
    about:
      'Asks the terminal for its properties, all of them where none is named: the command `propertyGet`, answered by `property`. One for the same that waits is withdrawn.',
  }),
  call: call({
    can: send,
    input: z.strictObject({ id: ref('device'), service: Identifier, input: given.default({}), hours }),
    output: Sent,
    faults: ['THING_VALUES', 'THING_NONE', 'THING_SERVICE', 'DEVICE_STATE'],
    about: 'Calls a service: the command `serviceCall`. Its answer stands in `read`, with `output` as the terminal gave it.',
  }),
  events: call({
    can: seeing,
    reads: true,
    input: z.strictObject({ id: Id, before: z.string().max(64).optional(), size: z.int().min(1).max(100).default(20) }),
    output: z.object({ content: z.array(TerminalEvent), next: z.string().nullable() }),
    about: 'Events of the terminal that its product’s model names, newest first.',
  }),
});
