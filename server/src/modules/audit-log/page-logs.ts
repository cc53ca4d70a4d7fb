import { actionOf, serverActs } from '@mooring/contract/audit-log/action';
import { type LogEntry, logCalls } from '@mooring/contract/audit-log/calls';
import { outcomeOf } from '@mooring/contract/audit-log/outcome';
import { wordsOfTarget } from '@mooring/contract/audit-log/target';
import { allCalls } from '@mooring/contract/index';
import { fault } from '@mooring/contract/kit/fault';
import type { DB } from '@mooring/database/tables';
import { type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import { REFUSED } from '../../platform/audit/refusals.ts';
import { all, contains, range, valuesOf } from '../../platform/db/criteria.ts';
import { page } from '../../platform/db/page.ts';
import type { Handler } from '../../platform/module.ts';
import { t } from '../../platform/texts/translate.ts';
import { exporter } from '../../platform/work/exporter.ts';

const byItself: ReadonlyMap<string, string> = new Map(Object.entries(serverActs));
const known = new Map(allCalls.map((call) => [call.path, call]));
const pathsOf = (names: readonly string[]) => [
  ...allCalls.filter((call) => names.includes(call.domain)).map((call) => call.path),
  ...[...byItself].flatMap(([act, domain]) => (names.includes(domain) ? [act] : [])),
];

/** A call without a session is nobody's act in any part: it stands with the sign-ins. */
const domainOf = (row: { call: string; result: string }) =>
  row.result === 'NO_SESSION' ? 'auth' : (known.get(row.call)?.domain ?? byItself.get(row.call) ?? '');
const inParts = (parts: readonly string[]) =>
  sql<boolean>`case when a.result = 'NO_SESSION' then ${parts.includes('auth')} else a.call = any(${pathsOf(parts)}::text[]) end`;

const purposeOf = (input: unknown) => (typeof input === 'object' && input !== null && 'purpose' in input ? input.purpose : undefined);
/** What was done, as the log names it. */
export function namedAct(row: { call: string; platform: string | null; input: unknown }): Entry['action'] {
  const { text, page } = actionOf(known.get(row.call) ?? { path: row.call, can: [] }, row.platform, purposeOf(row.input));
  return { text, page: page ?? null };
}
const wordsOfAction = (lang: string, { text, page }: Entry['action']) =>
  t(lang, text, page === null ? {} : { page: t(lang, `menu.${page}`) });
export const wordsOfOutcome = (lang: string, { outcome, result }: Pick<Entry, 'outcome' | 'result'>) =>
  outcome === 'refused' ? t(lang, `fault.${result}`) : t(lang, `log.result.${outcome}`);

type Row = Selectable<DB['audit_entry']>;
/** What the counted ones say besides. */
const refusedOf = (row: Row) => (row.request_id === REFUSED ? (row.after as { count?: number; device?: string | null } | null) : null);

export const entryOf = (row: Row): z.input<typeof LogEntry> => ({
  id: row.id,
  at: row.at,
  actorName: row.actor_name,
  actorDept: row.actor_dept,
  domain: domainOf(row),
  call: row.call,
  action: namedAct(row),
  target: row.target,
  result: row.result,
  outcome: outcomeOf(row),
  count: Number(refusedOf(row)?.count ?? 1),
  device: refusedOf(row)?.device ?? null,
  tried: refusedOf(row) ? row.target : null,
  platform: row.platform,
  ip: row.ip,
  requestId: row.request_id,
  sealNo: row.seal_no,
});

export const pageLogs: Handler<typeof logCalls.page> = (ctx, { criteria, page: wanted }) => {
  const [parts, results] = [valuesOf(criteria.domain), valuesOf(criteria.result)];
  const target = contains('a.target', criteria.text);
  const query = ctx.db
    .selectFrom('audit_entry as a')
    .selectAll('a')
    .where(
      all(
        target && sql<boolean>`(${target} or a.request_id = ${criteria.text ?? ''})`,
        contains('a.actor_name', criteria.actorName),
        contains('a.ip', criteria.ip),
        parts && inParts(parts),
        results?.length === 1
          ? results[0] === 'done'
            ? sql<boolean>`a.result in ('done', 'ok')`
            : sql<boolean>`a.result not in ('done', 'ok')`
          : undefined,
        range('a.at', criteria.at),
      ),
    );
  return page(ctx.db, query, { page: wanted, sorts: { at: 'a.at' }, id: 'a.id', map: entryOf });
};

export const readLog: Handler<typeof logCalls.detail> = async (ctx, { id }) => {
  const row = await ctx.db.selectFrom('audit_entry').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return { ...entryOf(row), input: row.input, before: row.before, after: row.after, hash: row.hash?.toString('hex') ?? null };
};

type Entry = z.input<typeof LogEntry>;
export const logExporter = exporter<Entry>({
  name: 'log',
  title: 'work.export.log',
  can: logCalls.export.can,
  sort: 'at',
  page: pageLogs as never,
  columns: {
    at: { title: 'log.at', cell: (row) => new Date(row.at) },
    actorName: { title: 'log.actor', cell: (row) => row.actorName },
    domain: { title: 'log.domain', cell: (row, lang) => (row.domain ? t(lang, `log.domain.${row.domain}`) : '') },
    action: { title: 'log.call', cell: (row, lang) => wordsOfAction(lang, row.action) },
    target: {
      title: 'log.target',
      cell: (row, lang) => (row.target ? wordsOfTarget(row.target, (key, params) => t(lang, key, params)) : null),
    },
    result: {
      title: 'log.result',
      cell: (row, lang) => wordsOfOutcome(lang, row),
    },
    platform: { title: 'log.platform', cell: (row, lang) => (row.platform ? t(lang, `platform.${row.platform}`) : null) },
    ip: { title: 'log.ip', cell: (row) => row.ip },
    device: { title: 'log.device', cell: (row) => row.device },
    path: { title: 'log.path', cell: (row) => row.call },
    requestId: { title: 'log.requestId', cell: (row) => row.requestId },
    sealNo: { title: 'log.seal', cell: (row) => row.sealNo },
  },
});
