import { z } from 'zod';
import { call, calls } from '../../kit/call.ts';
import { exporting } from '../../kit/export.ts';
import { criteriaOf, filter, pageOf, pageQuery } from '../../kit/page.ts';
import { Id, Moment, ref } from '../../kit/schema.ts';
import { stateOf } from '../../kit/state-machine.ts';
import { COMMAND_HOURS, isLogRange, logPullFields, noLogRange } from '../commands.ts';
import { commandMachine } from '../state-machines.ts';
import { LogLevel } from './log-lines.ts';

/** A line of a terminal's log. */
export const LogRow = z.object({
  id: Id,
  /** The terminal's own time, where it can be right. */
  at: Moment,
  receivedAt: Moment,
  deviceId: Id,
  sn: z.string(),
  level: LogLevel,
  tag: z.string(),
  text: z.string(),
  /** Stands for lines that weren't kept; nothing else does. */
  leftOut: z.int(),
});
export type LogRow = z.infer<typeof LogRow>;

/** Terminals whose logs are asked for at once. */
export const LOG_REQUESTS_MOST = 200;

/** Hours that the log of many terminals reaches back, or spans. */
export const LOG_SEARCH_HOURS = 24;
const logFilters = {
  deviceId: filter.exact(Id),
  level: filter.exact(LogLevel),
  tag: filter.exact(z.string().trim().min(1).max(64)),
  at: filter.moment(),
  text: filter.text(100),
};
export const LogCriteria = criteriaOf(logFilters);

/** What became of asking a terminal for its log. */
export const LogRequest = z.object({
  id: Id,
  deviceId: Id,
  sn: z.string(),
  state: stateOf(commandMachine),
  level: LogLevel.nullable(),
  from: Moment.nullable(),
  to: Moment.nullable(),
  /** Lines that have come. */
  lines: z.int(),
  createdAt: Moment,
  sentAt: Moment.nullable(),
  answeredAt: Moment.nullable(),
  expiresAt: Moment,
  reason: z.string().nullable(),
  by: z.string().nullable(),
});
export type LogRequest = z.infer<typeof LogRequest>;

const requestFilters = { deviceId: filter.exact(Id), state: filter.exact(stateOf(commandMachine)), createdAt: filter.moment() };

/** What terminals write down of their work (specification section 7, `runLog` of `/device/*`). */
export const deviceLogCalls = calls('device', '/device/runLog', {
  page: call({
    can: 'device:log:page',
    reads: true,
    input: pageQuery(logFilters, ['-at']),
    output: pageOf(LogRow),
    faults: ['LOG_SEARCH_WIDE'],
    about:
      'Lines, newest first. They aren’t counted: a page that isn’t the last says 10,000 and more. Of one terminal, or over a day at most: without a period the last 24 hours.',
  }),
  export: exporting('device:log:export', LogCriteria),
  request: call({
    can: 'device:command:send||device:all:command',
    input: z
      .strictObject({
        deviceIds: z.array(ref('device')).min(1).max(LOG_REQUESTS_MOST),
        ...logPullFields,
        /** How long it waits for an absent terminal. */
        hours: z.int().min(1).max(720).default(COMMAND_HOURS),
      })
      .refine(isLogRange, noLogRange),
    output: z.object({ asked: z.int(), refused: z.int() }),
    faults: ['DEVICE_STATE', 'LOG_PULL_OLD'],
    about:
      'Asks terminals for lines of their logs; each is a command `logPull`. Those that are disabled are left out and counted as refused.',
  }),
  requests: call({
    can: 'device:log:page',
    reads: true,
    input: pageQuery(requestFilters, ['-createdAt']),
    output: pageOf(LogRequest),
    about: 'Logs that were asked for. Asking is the command `logPull`.',
  }),
  exportRequests: exporting('device:log:export', criteriaOf(requestFilters)),
});
