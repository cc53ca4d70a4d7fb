import { z } from 'zod';
import { Identifier, thingLimits } from '../product/thing-types.ts';
import { LogLevel } from './log/log-lines.ts';

/** Lines that a terminal is asked for at most. */
export const LOG_PULL_MOST = 5000;

/** Which lines of its log a terminal is asked for: the newest so many of those that match. */
export const logPullFields = {
  lines: z.int().min(1).max(LOG_PULL_MOST).default(500),
  level: LogLevel.optional(),
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
};
export const isLogRange = ({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean =>
  from === undefined || to === undefined || from < to;
export const noLogRange = { error: 'invalid.logRange', path: ['to'] };

/** Commands a person may send, with what each takes. Those of later domains add a line here. */
export const commandParams = {
  reboot: z.strictObject({}),
  message: z.strictObject({
    title: z.string().trim().min(1).max(64),
    text: z.string().trim().min(1).max(500),
    seconds: z.int().min(1).max(3600).default(30),
  }),
  logPull: z.strictObject(logPullFields).refine(isLogRange, noLogRange),
} as const;
export const commandKinds = ['reboot', 'message', 'logPull'] as const;
export const CommandKind = z.enum(commandKinds);
export type CommandKind = z.infer<typeof CommandKind>;

/** Commands of a product's thing model. They are checked against it, so nobody sends them as they are. */
export const thingCommandParams = {
  /** Answered by `property`, of all where none is named. */
  propertyGet: z.object({ names: z.array(Identifier).max(thingLimits.entries).default([]) }),
  propertySet: z.object({ values: z.record(Identifier, z.json()) }),
  serviceCall: z.object({ service: Identifier, input: z.record(Identifier, z.json()).default({}) }),
} as const;
export const thingCommands = ['propertyGet', 'propertySet', 'serviceCall'] as const;
/** How long a command waits for an absent terminal, unless the person says otherwise. */
export const COMMAND_HOURS = 24;
