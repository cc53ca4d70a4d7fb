import { deviceLogCalls, LOG_SEARCH_HOURS, type LogCriteria, type LogRequest, type LogRow } from '@mooring/contract/device/log/log-calls';
import type { LogLevel } from '@mooring/contract/device/log/log-lines';
import { commandMachine } from '@mooring/contract/device/state-machines';
import { Fault } from '@mooring/contract/kit/fault';
import { COUNT_CAP } from '@mooring/contract/kit/page';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Db } from '../../../platform/context.ts';
import { all, contains, exact, range, valuesOf } from '../../../platform/db/criteria.ts';
import { page } from '../../../platform/db/page.ts';
import type { Handler } from '../../../platform/module.ts';
import { rowExporter } from '../../../platform/work/row-exporter.ts';

const HOUR_MS = 3_600_000;
type Criteria = z.output<typeof LogCriteria>;

/** Nobody looks through the logs of all terminals of all time, whatever is looked for: one log is read, or a day. */
function searchedSpan(criteria: Criteria, now: Date): Criteria['at'] {
  const { deviceId, at } = criteria;
  if (valuesOf(deviceId)?.length === 1) return at;
  const span = LOG_SEARCH_HOURS * HOUR_MS;
  if (at === undefined) return { greaterThanOrEqual: new Date(now.getTime() - span).toISOString() };
  const { greaterThanOrEqual: from, lessThanOrEqual: to } = at;
  // Days of a person begin and end by the second, and twice a year have an hour more.
  const isWide = from === undefined || (to === undefined ? now.getTime() : Date.parse(to)) - Date.parse(from) > span + HOUR_MS;
  if (isWide) throw new Fault('LOG_SEARCH_WIDE');
  return at;
}

const lineOf = (row: {
  id: number;
  at: Date;
  received_at: Date;
  device_id: number;
  sn: string;
  level: string;
  tag: string;
  text: string;
  left_out: number;
}): z.input<typeof LogRow> => ({
  id: row.id,
  at: row.at,
  receivedAt: row.received_at,
  deviceId: row.device_id,
  sn: row.sn,
  level: row.level as LogLevel,
  tag: row.tag,
  text: row.text,
  leftOut: row.left_out,
});

export const pageLogs: Handler<typeof deviceLogCalls.page> = async (ctx, { criteria, page: wanted }) =>
  page(
    ctx.db,
    ctx.db
      .selectFrom('device_log_line as l')
      .select(['l.id', 'l.at', 'l.received_at', 'l.device_id', 'l.sn', 'l.level', 'l.tag', 'l.text', 'l.left_out'])
      .where(
        all(
          exact('l.device_id', criteria.deviceId),
          exact('l.level', criteria.level),
          exact('l.tag', criteria.tag),
          range('l.at', searchedSpan(criteria, ctx.now())),
          contains('l.text', criteria.text),
        ),
      ),
    { page: wanted, sorts: { at: 'l.at' }, id: 'l.id', map: lineOf, total: sql<number>`${COUNT_CAP + 1}::int` },
  );

export const logExporter = rowExporter(deviceLogCalls.page, deviceLogCalls.export, {
  title: 'work.export.logs',
  page: pageLogs,
  sort: 'at',
  columns: {
    at: 'deviceLog.at',
    receivedAt: 'deviceLog.receivedAt',
    sn: 'deviceLog.sn',
    level: ['deviceLog.level', 'deviceLog.level.'],
    tag: 'deviceLog.tag',
    text: 'deviceLog.text',
    leftOut: 'deviceLog.leftOut',
  },
});

const selectRequests = (db: Db) =>
  db
    .selectFrom('gateway_outbox as c')
    .leftJoin('device_log_pull as p', 'p.key', 'c.key')
    .select(['c.id', 'c.device_id', 'c.sn', 'c.state', 'c.data', 'c.created_at', 'c.sent_at', 'c.answered_at', 'c.expires_at', 'c.reason'])
    .select(['c.actor_name', sql<number>`coalesce(p.lines, 0)`.as('lines')])
    .where('c.topic', '=', 'command')
    .where('c.kind', '=', 'logPull');
type Asked = Awaited<ReturnType<ReturnType<typeof selectRequests>['executeTakeFirstOrThrow']>>;

function requestOf(row: Asked): z.input<typeof LogRequest> {
  const { level, from, to } = (row.data as { params?: { level?: LogLevel; from?: string; to?: string } }).params ?? {};
  return {
    id: row.id,
    deviceId: row.device_id,
    sn: row.sn,
    state: row.state,
    level: level ?? null,
    from: from === undefined ? null : new Date(from),
    to: to === undefined ? null : new Date(to),
    lines: row.lines,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    answeredAt: row.answered_at,
    expiresAt: row.expires_at,
    reason: row.reason,
    by: row.actor_name,
  };
}

export const pageLogRequests: Handler<typeof deviceLogCalls.requests> = (ctx, { criteria, page: wanted }) =>
  page(
    ctx.db,
    selectRequests(ctx.db).where(
      all(exact('c.device_id', criteria.deviceId), exact('c.state', criteria.state), range('c.created_at', criteria.createdAt)),
    ),
    { page: wanted, sorts: { createdAt: 'c.created_at' }, id: 'c.id', map: requestOf },
  );

export const logRequestExporter = rowExporter(deviceLogCalls.requests, deviceLogCalls.exportRequests, {
  title: 'work.export.logRequests',
  page: pageLogRequests,
  sort: 'createdAt',
  columns: {
    sn: 'deviceLog.sn',
    state: ['deviceLog.request.state', commandMachine],
    lines: 'deviceLog.request.arrived',
    level: ['deviceLog.request.level', 'deviceLog.level.'],
    from: 'deviceLog.request.from',
    to: 'deviceLog.request.to',
    createdAt: 'deviceLog.request.createdAt',
    by: 'deviceLog.request.by',
  },
});
