import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { allCalls } from '@mooring/contract/index';
import type { SettingOf } from '@mooring/contract/settings/kinds';
import { sql } from 'kysely';
import type { AppContext } from '../../../platform/app-context.ts';
import { REFUSED } from '../../../platform/audit/refusals.ts';
import type { Db } from '../../../platform/context.ts';
import { cut } from '../../../platform/cut.ts';
import type { Service } from '../../../platform/module.ts';
import { hostOf, sendAll } from '../../../platform/outbound/door.ts';
import { readSetting } from '../../../platform/settings.ts';
import { type Forwarded, framed, messageOf } from './format.ts';

const TICK_MS = 1000;
const BATCH = 500;
/** Longer than a batch may take: one that was taken for longer lost its process. */
const LEASE_SECONDS = 60;
const MOST_WAIT_SECONDS = 60;

type Syslog = SettingOf<'syslog'>;
/** What tells who came in, who may what, and what decides about both. */
const watched = allCalls
  .filter(({ domain }) => ['auth', 'account', 'access', 'org', 'settings', 'audit-log'].includes(domain))
  .map(({ path }) => path);

export const headOf = (app: AppContext, { facility }: Syslog) => ({
  facility,
  host: app.config.PUBLIC_URL ? hostOf(app.config.PUBLIC_URL) : hostname(),
});

/** Sends messages to the receiver. It has them all when this returns: it closes its side after it has read ours to the end. */
export async function sendMessages(app: AppContext, to: Syslog, messages: readonly string[]): Promise<void> {
  const { SYSLOG_CERT, SYSLOG_KEY } = app.config;
  const { allowed } = await app.unscoped((db) => readSetting(db, 'outbound'));
  const own = SYSLOG_CERT && SYSLOG_KEY ? { cert: readFileSync(SYSLOG_CERT, 'utf8'), key: readFileSync(SYSLOG_KEY, 'utf8') } : {};
  const tls = to.security === 'tls' ? { tls: { ...own, ...(to.ca === '' ? {} : { ca: to.ca }) } } : {};
  await sendAll({ host: to.host, port: to.port, allowed, bytes: Buffer.from(messages.map(framed).join('')), ...tls });
}

/** The next entries behind the cursor that are to be sent, and how far this reaches. */
async function nextEntries(db: Db, after: number, what: Syslog['what']): Promise<{ entries: Forwarded[]; to: number }> {
  const found = await sql<Forwarded & { watched: boolean }>`
    select id, at, seal_no as "sealNo", request_id as "requestId", actor_id as "actorId", actor_name as actor, dept_path as dept, platform, ip, call, target, result,
      case when request_id = ${REFUSED} then coalesce((after->>'count')::int, 1) else 1 end as count,
      case when request_id = ${REFUSED} then after->>'device' end as device,
      (${what} = 'all' or result <> 'done' or call = any(${watched}::text[])) as watched
    from audit_entry where seal_no > ${after} order by seal_no limit ${BATCH}`.execute(db);
  const entries = found.rows.filter((row) => row.watched).map(({ watched: _, ...entry }) => entry);
  return { entries, to: found.rows.at(-1)?.sealNo ?? after };
}

/** One batch. What the receiver took is noted after it took it: whatever ends between is sent again, with the same id and seal number. */
export async function forwardDue(app: AppContext): Promise<number> {
  const work = await app.unscoped(async (db) => {
    const setting = await readSetting(db, 'syslog');
    if (!setting.enabled || setting.host === '') return undefined;
    await sql`insert into audit_forward (seal_no) select coalesce(max(seal_no), 0) from audit_entry on conflict do nothing`.execute(db);
    const taken = await sql<{ at: number }>`
      update audit_forward set taken_until = now() + make_interval(secs => ${LEASE_SECONDS}) where taken_until < now() returning seal_no as at`.execute(
      db,
    );
    const [cursor] = taken.rows;
    return cursor && { setting, ...(await nextEntries(db, cursor.at, setting.what)), from: cursor.at };
  });
  if (!work) return 0;
  const { setting, entries, to, from } = work;
  const note = (set: ReturnType<typeof sql>) =>
    app.unscoped(async (db) => {
      await sql`update audit_forward set ${set}, taken_until = '-infinity'`.execute(db);
      await app.invalidate(db, '/sys/logs/forward', '1.');
    });
  try {
    if (entries.length > 0)
      await sendMessages(
        app,
        setting,
        entries.map((entry) => messageOf(headOf(app, setting), entry)),
      );
    const sent = entries.length > 0 ? sql`, sent_at = ${app.now()}, failing_since = null, error = null` : sql``;
    if (to > from) await note(sql`seal_no = ${to}${sent}`);
    else await app.unscoped((db) => sql`update audit_forward set taken_until = '-infinity'`.execute(db));
    return to - from;
  } catch (failure) {
    await note(sql`failing_since = coalesce(failing_since, ${app.now()}), error = ${reasonOf(failure)}`);
    throw failure;
  }
}

/** In words for the administrator; nothing that the other side says is among them. */
export function reasonOf(failure: unknown): string {
  const { fault, code, message } = failure as { fault?: string; code?: string; message?: string };
  return cut([...new Set([fault ?? code, message])].filter(Boolean).join(': '), 300);
}

export const forwardService: Service = {
  of: 'worker',
  name: 'audit:forward',
  start(app) {
    let timer: NodeJS.Timeout | undefined;
    let stopped = false;
    let failed = 0;
    let running: Promise<unknown> = Promise.resolve();
    const tick = () => {
      running = forwardDue(app)
        .then((done) => {
          failed = 0;
          return done === 0 ? TICK_MS : 0;
        })
        .catch((error: unknown) => {
          failed += 1;
          if (failed === 1) app.log.warn({ error: reasonOf(error) }, 'audit log not forwarded; trying again');
          return Math.min(2 ** failed, MOST_WAIT_SECONDS) * 1000;
        })
        .then((wait) => {
          if (!stopped) timer = setTimeout(tick, wait);
        });
    };
    tick();
    return async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    };
  },
};
