import { z } from 'zod';
import { partOutcomes } from '../hardware-test/parts.ts';
import { Day } from '../kit/schema.ts';
import { MOST_BESIDE } from '../signing/limits.ts';
import { InstalledApps } from './installed-apps.ts';
import { MESSAGE_ID, SN } from './limits.ts';
import { LogLines } from './log/log-lines.ts';
import { AppPackage, Manifest, ReleaseKey, Sha256, Version } from './manifest.ts';
import type { DownKind, UpKind } from './topics.ts';

/** Both sides ignore fields they don't know, so objects here are open, unlike those of calls. */
export const MessageId = z.string().regex(MESSAGE_ID);
export const Sn = z.string().regex(SN);

/** Every message: version, id, the sender's own time, and the data of its kind. */
export const Envelope = z.object({
  v: z.int().min(0).max(1000),
  id: MessageId,
  at: z.iso.datetime({ offset: true }),
  data: z.looseObject({}),
});
export type Envelope = z.infer<typeof Envelope>;

const [EARLIEST, LATEST] = [Date.UTC(1970), Date.UTC(2200)];
/** When a message was sent, by its sender. A clock that is off beyond all calendars says the nearest moment that can be kept. */
export const momentOf = (at: Envelope['at']): Date => new Date(Math.min(Math.max(Date.parse(at), EARLIEST), LATEST));

const Short = z.string().max(64);
const Text = z.string().max(500);
/** A figure as a single-precision column can hold it: what is too small for that is nothing. */
const figure = (least: number, most: number) =>
  z
    .number()
    .min(least)
    .max(most)
    .transform((value) => (Math.abs(value) < 1e-30 ? 0 : value));
/** Counts that a terminal may send as it likes; what is beyond all sense is the most that there is. */
const Count = z
  .number()
  .min(0)
  .transform((value) => Math.min(Math.round(value), Number.MAX_SAFE_INTEGER));
const Percent = figure(0, 100);
const Bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** As far as the database counts them. */
const Revision = z
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const Pixels = z.int().min(1).max(65_535);
const networkKinds = ['wifi', 'cellular', 'nbiot', 'ethernet', 'other'] as const;

export const Position = z.object({
  lat: figure(-90, 90),
  lon: figure(-180, 180),
  accuracy: figure(0, 1e6).optional(),
  source: z.enum(['gps', 'wifi', 'cell', 'network', 'manual']).optional(),
});
const Network = z.object({
  kind: z.enum(networkKinds),
  signal: figure(-200, 100).optional(),
  ssid: Short.optional(),
  ip: Short.optional(),
});
const Storage = z.object({ total: Bytes, free: Bytes });

/** After each connection: what the terminal is and can do. */
export const Hello = z.object({
  product: Short,
  firmware: Version,
  agent: Short,
  capabilities: z.array(Short).max(64),
  timeZone: Short,
  model: Short.optional(),
  pn: Short.optional(),
  imei: Short.optional(),
  mac: Short.optional(),
  iccid: Short.optional(),
  /** In pixels, as it is looked at. */
  screen: z.object({ width: Pixels, height: Pixels }).optional(),
  modules: z.record(Short, Short).optional(),
  patch: Short.optional(),
  apps: InstalledApps.optional(),
  /** How many there are, named or not: where fewer are named, one that isn't may be there all the same. */
  appsInAll: Count.optional(),
  network: Network.optional(),
  storage: Storage.optional(),
  battery: Percent.optional(),
  position: Position.optional(),
  configRevision: Revision.optional(),
  /** What was set on it and holds: section → digest of its values as they are now (`settingsText`). */
  settings: z.record(Short, Short).optional(),
  /** Parameters of its Android system that were set; of a secret one only that it is (null). */
  androidParams: z.record(Short, z.union([z.string().max(500), z.number(), z.boolean()]).nullable()).optional(),
  /** New for each connection; a last will that names another one is an old connection's. */
  session: Short.optional(),
  /** Grows with each hello of a terminal, over its restarts too: of two, the higher one is the newer, whenever it comes. */
  order: z.int().min(0).optional(),
});

/** The newest figures. Any of them may be missing; a missing one leaves the older value. */
export const Beat = z.object({
  battery: Percent.optional(),
  charging: z.boolean().optional(),
  network: Network.optional(),
  storage: Storage.optional(),
  position: Position.optional(),
  temperature: figure(-100, 200).optional(),
  uptime: Count.optional(),
  counters: z.record(Short, z.number()).optional(),
});

export const progressPhases = ['received', 'waiting', 'downloading', 'verifying', 'installing'] as const;
/** What a terminal waits for; others are shown as they come. */
export const waitReasons = ['window', 'network', 'pace', 'restart', 'user', 'queue'] as const;
/** How far an offer is; at most one a second. The first, `received`, answers the offer. */
export const Progress = z.object({
  offer: MessageId,
  phase: z.enum(progressPhases),
  percent: Percent.default(0),
  bytes: Bytes.optional(),
  reason: Short.optional(),
});

/** Why an offer failed. A terminal may send others; they are shown as they come. */
export const failureReasons = [
  'downloadFailed',
  'linkExpired',
  'sizeWrong',
  'hashWrong',
  'signatureWrong',
  'productWrong',
  'kindWrong',
  'terminalWrong',
  'baseWrong',
  'appWrong',
  'certificateWrong',
  'appNeeded',
  'downgradeRefused',
  'noSpace',
  'batteryLow',
  'powerLost',
  'installFailed',
  'windowMissed',
  'networkUnsuitable',
  'refusedByPerson',
  'notSupported',
  'cancelled',
  'unknown',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** How an offer ended. Repeated until acknowledged; a terminal installs an offer at most once. */
export const Result = z.object({
  offer: MessageId,
  outcome: z.enum(['success', 'failure']),
  reason: Short.optional(),
  message: Text.optional(),
  /** The version that runs now. */
  version: Version.optional(),
  /** Digest of what was downloaded, as the terminal computed it. */
  sha256: Sha256.optional(),
  bytes: Bytes.optional(),
  durationMs: Count.optional(),
});

export const Property = z.object({ values: z.record(Short, z.json()) });

export const eventLevels = ['info', 'warning', 'alarm'] as const;
/** Something happened: tamper, geofence, lowBattery, crash, … */
export const Event = z.object({
  name: Short.min(1),
  level: z.enum(eventLevels).default('info'),
  params: z.record(Short, z.json()).default({}),
});

/** The answer to a command, a cancel or a config, by the id of its message. */
export const Reply = z.object({
  to: MessageId,
  outcome: z.enum(['done', 'failed']),
  reason: Short.optional(),
  message: Text.optional(),
  output: z.json().optional(),
});

/**
 * Lines of a log: those that a `logPull` asked for, or without `to` those that the terminal sends by itself. From terminals that don't know lines a piece
 * of the text that was asked for; pieces count from 0.
 */
export const Log = z
  .object({
    to: MessageId.optional(),
    lines: LogLines.optional(),
    /** Lines before these that the terminal had to drop. */
    leftOut: Count.optional(),
    part: z.int().min(0).max(9999).optional(),
    last: z.boolean().optional(),
    text: z.string().max(60_000).optional(),
  })
  .refine(({ to, lines, part, last, text }) => lines !== undefined || ![to, part, last, text].includes(undefined), { path: ['lines'] });

/** Figures of a part: as many as a screen shows. */
const MOST_FIGURES = 20;
/** What the terminal has found of its parts so far, for a `hardwareTest`; without any it has begun. With `done` there is nothing more to come. */
export const Test = z.object({
  to: MessageId,
  done: z.boolean().default(false),
  parts: z
    .array(
      z.object({
        part: Short.min(1),
        outcome: z.enum(partOutcomes),
        reason: Short.optional(),
        message: Text.optional(),
        figures: z
          .record(Short, z.union([z.number(), z.boolean(), Short]))
          .refine((figures) => Object.keys(figures).length <= MOST_FIGURES)
          .optional(),
      }),
    )
    .max(64)
    .default([]),
});

/** The last will, or a leave that is meant. */
export const Bye = z.object({ reason: Short.optional(), session: Short.optional() });

export const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'invalid.clock');
/** Closed dates of a window at most. */
export const WINDOW_DATES = 100;
/** When work may be done, in the terminal's own time zone. Days are 1 Monday to 7 Sunday; `to` before `from` passes midnight. */
export const Window = z.object({
  days: z.array(z.int().min(1).max(7)).min(1).max(7),
  from: Clock,
  to: Clock,
  blackout: z.array(Day).max(WINDOW_DATES).default([]),
});
export type Window = z.infer<typeof Window>;

/** Something to be set: its section, and its values, or none to put back what was there before anything was set. */
export const Settings = z.object({ section: Short.min(1), values: z.record(Short, z.json()).nullable() });
export type Settings = z.infer<typeof Settings>;

/** A task's content for this terminal. `offer` is the attempt; results name it. */
export const Offer = z.object({
  offer: MessageId,
  kind: z.string().max(32),
  task: z.object({ id: Short, name: z.string().max(128) }).optional(),
  /** What is downloaded and installed. A deployment has this with its key and address, `settings`, or `uninstall`; that of an app may have both of the first. */
  package: Manifest.extend({ signature: z.string().max(256) }).optional(),
  releaseKey: ReleaseKey.optional(),
  /** Absolute, or a path on the server that the terminal enrolled at. */
  url: z.string().max(2048).optional(),
  /** Of an app: a signature beside the whole package (CMS, RFC 5652), for terminals that install none without one by a signer whom they trust. */
  detachedSignature: z.object({ url: z.string().max(2048), size: z.int().positive().max(MOST_BESIDE), sha256: Sha256 }).optional(),
  settings: Settings.optional(),
  /** An app that is to go. */
  uninstall: z.object({ packageName: AppPackage }).optional(),
  download: z.enum(['now', 'window']).default('now'),
  window: Window.nullable().default(null),
  install: z.enum(['silent', 'ask', 'restart']).default('silent'),
  network: z.enum(['any', 'wifi']).default('any'),
  /** The download starts at a random moment inside this many seconds; where the window is waited for, what waits starts so after it opened. */
  jitterSeconds: z.int().min(0).max(86_400).default(0),
  retries: z.object({ times: z.int().min(0).max(20), waitSeconds: z.int().min(0).max(86_400) }).default({ times: 3, waitSeconds: 5 }),
  allowDowngrade: z.boolean().default(false),
  expiresAt: z.iso.datetime().nullable().default(null),
});

/** Give an offer up unless it is already being installed. */
export const Cancel = z.object({ offer: MessageId, reason: Short.optional() });

/** Applied once by the envelope's id; not at all after `expiresAt`. */
export const Command = z.object({
  command: Short,
  seq: z.int().min(0),
  params: z.record(z.string(), z.json()).default({}),
  expiresAt: z.iso.datetime(),
});

/** The desired state; the terminal says in `hello` which revision it has. */
export const Config = z.object({ revision: Revision, values: z.record(z.string(), z.json()) });

/** The named message is committed; stop repeating it. */
export const Ack = z.object({ id: MessageId });

export const upMessages = {
  hello: Hello,
  beat: Beat,
  progress: Progress,
  result: Result,
  property: Property,
  event: Event,
  reply: Reply,
  log: Log,
  test: Test,
  bye: Bye,
} as const satisfies Record<UpKind, z.ZodType>;
export const downMessages = {
  offer: Offer,
  cancel: Cancel,
  command: Command,
  config: Config,
  ack: Ack,
} as const satisfies Record<DownKind, z.ZodType>;

export type Up = { [K in UpKind]: z.output<(typeof upMessages)[K]> };
/** What a sender gives: defaults may be left out. */
export type Down = { [K in DownKind]: z.input<(typeof downMessages)[K]> };
/** What a terminal reads. */
export type DownRead = { [K in DownKind]: z.output<(typeof downMessages)[K]> };
