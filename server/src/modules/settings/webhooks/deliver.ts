import { setTimeout as wait } from 'node:timers/promises';
import { webhookMachine } from '@mooring/contract/settings/state-machines';
import { sql } from 'kysely';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Db } from '../../../platform/context.ts';
import { cut } from '../../../platform/cut.ts';
import { move, statefulTable } from '../../../platform/db/move.ts';
import type { Service } from '../../../platform/module.ts';
import { type Allowed, sendOutside } from '../../../platform/outbound/door.ts';
import { signed } from '../../../platform/outbound/sign.ts';
import { readSetting } from '../../../platform/settings.ts';
import { notify } from '../../message/api.ts';
import { kindOf, type WebhookKind } from './kinds.ts';

export const deliveries = statefulTable('settings_webhook_delivery', webhookMachine);
const SECRET = 'webhook';
const TICK_MS = 1000;
const AT_ONCE = 20;
const OF_WEBHOOK = 2;
const OF_ORGANISATION = 6;
/** Seconds between the tries, as Standard Webhooks advises: often at first, for a day in all. */
const waits = [5, 300, 1800, 7200, 18_000, 36_000];
/** A try ends within a quarter of a minute; one that is taken for longer lost its process. */
const LOST = sql`next_at < now() - interval '2 minutes'`;

export const openWebhookSecret = (app: AppContext, sealed: Buffer): string => app.masterKey.open(SECRET, sealed).toString();
export const sealWebhookSecret = (app: AppContext, secret: string): Buffer => app.masterKey.seal(SECRET, Buffer.from(secret));

interface Due {
  readonly id: number;
  readonly event_id: string;
  readonly event: string;
  readonly body: string;
  readonly attempts: number;
  readonly webhook_id: number;
  readonly receiver_id: number | null;
  readonly app_id: number | null;
  readonly name: string;
  readonly url: string;
  readonly secret_sealed: Buffer;
  readonly dept_path: string;
}

/** Addresses that fail at present go by themselves, and so do those of developers: what is slow there keeps nothing else back. */
export type Lane = 'well' | 'failing' | 'apps';
const lanes: readonly Lane[] = ['well', 'failing', 'apps'];

/**
 * Takes what is due, each row by one process, of one webhook and of one organisation only so many at once, what is under way counted: nobody's many
 * keep others waiting. Addresses that were switched off, or whose developer is suspended, keep theirs until they are on again. Read from webhook to webhook that has some open.
 */
export async function take(db: Db, lane: Lane, most = AT_ONCE): Promise<Due[]> {
  const due = await sql<{ id: number }>`
    with recursive open as (
      (select webhook_id from settings_webhook_delivery where state in ('waiting', 'sending') order by webhook_id limit 1)
      union all
      select (select d.webhook_id from settings_webhook_delivery d where d.state in ('waiting', 'sending') and d.webhook_id > open.webhook_id order by d.webhook_id limit 1)
      from open where open.webhook_id is not null
    ), of as (
      select w.id, w.dept_path, case when w.app_id is not null then 'apps' when w.failing_since is null then 'well' else 'failing' end = ${lane} as here,
        (select count(*)::int from settings_webhook_delivery d where d.webhook_id = w.id and d.state = 'sending' and not ${LOST}) as busy
      from open join settings_webhook w on w.id = open.webhook_id and w.enabled
        and not (w.app_id is not null and developer_suspended(w.dept_id))
    ), busy as (select dept_path, sum(busy)::int as n from of group by dept_path
    ), next as (
      select d.id, d.next_at, of.dept_path, row_number() over (partition by of.dept_path order by d.next_at, d.id) as at
      from of cross join lateral (
        select id, next_at from settings_webhook_delivery d
        where d.webhook_id = of.id and d.next_at <= now() and d.state in ('waiting', 'sending') and (d.state = 'waiting' or ${LOST})
        order by d.next_at limit greatest(0, ${OF_WEBHOOK} - of.busy)
      ) d where of.here
    )
    select next.id from next join busy on busy.dept_path = next.dept_path where next.at <= ${OF_ORGANISATION} - busy.n order by next.next_at limit ${most}`.execute(
    db,
  );
  if (due.rows.length === 0) return [];
  // What another process has by now is its own.
  const held = await sql<{ id: number }>`
    select d.id from settings_webhook_delivery d where d.id = any(${due.rows.map(({ id }) => id)}::bigint[]) and d.next_at <= now()
      and (d.state = 'waiting' or (d.state = 'sending' and ${LOST})) for update skip locked`.execute(db);
  return taken(
    db,
    held.rows.map((row) => row.id),
  );
}

/** Those of them that may be taken, with where they go. */
async function taken(db: Db, wanted: readonly number[]): Promise<Due[]> {
  if (wanted.length === 0) return [];
  const moved = await move(db, deliveries, 'take', wanted, { set: { attempts: sql`attempts + 1`, next_at: sql`now()` } });
  const rows = await sql<Due>`
    select d.id, d.event_id, d.event, d.body, d.attempts, d.webhook_id, w.receiver_id, w.app_id, w.name, w.url, w.secret_sealed, d.dept_path
    from settings_webhook_delivery d join settings_webhook w on w.id = d.webhook_id where d.id = any(${moved.map(({ id }) => id)}::bigint[]) and w.deleted_at is null`.execute(
    db,
  );
  return rows.rows;
}

/** By whose address it is: which calls show what was sent, who hears that it was given up, and where they see why. */
const homes = {
  own: { group: '/sysSetting/webhook', can: 'settings:webhook:page', link: () => '/system/settings?tab=webhooks' },
  receiver: { group: '/alarmReceiverConfig', can: 'alert:receiver:edit', link: () => '/device/alertPush?tab=receivers' },
  app: { group: '/app/url/callback', can: 'app:sub:decide', link: (row: Due) => `/app/detail/${row.app_id}?tab=callback` },
} as const satisfies Record<WebhookKind, unknown>;

/** Once, until something gets through again. */
async function tellGivenUp(db: Db, row: Due): Promise<void> {
  const { rows } = await sql`
    update settings_webhook set given_up_at = now(), failing_since = coalesce(failing_since, now())
    where id = ${row.webhook_id} and given_up_at is null and deleted_at is null returning id`.execute(db);
  if (rows.length === 0) return;
  const { can, link } = homes[kindOf(row)];
  await notify(db, {
    name: 'webhookFailed',
    params: { name: row.name, event: row.event },
    to: { above: row.dept_path, can },
    deptPath: row.dept_path,
    link: link(row),
  });
}

/** Why nothing came through, for whoever named the address: nothing that was found there, as names in a certificate. */
function codeFor(failure: unknown): string {
  const { fault, code, name } = failure as { fault?: string; code?: unknown; name?: string };
  if (fault !== undefined) return fault;
  if (name === 'TimeoutError' || code === 'ABORT_ERR' || code === 'ETIMEDOUT') return 'timeout';
  if (typeof code !== 'string' || !/^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return 'failed';
  return /CERT|ALTNAME|ISSUER|SIGNATURE/.test(code) ? 'certificate' : code;
}

/** One try. It is settled whatever happens; a second run would send the same event id again, which receivers leave out. */
async function attempt(app: AppContext, row: Due, allowed: Allowed, isOnce = false): Promise<void> {
  const started = performance.now();
  let status: number | null = null;
  let error: string | null = null;
  try {
    const headers = signed(openWebhookSecret(app, row.secret_sealed), row.event_id, app.now(), row.body);
    const answer = await sendOutside({ url: row.url, headers, body: row.body, allowed });
    status = answer.status;
    if (status < 200 || status >= 300) error = (answer.isPublic && cut(answer.text, 300)) || `HTTP ${status}`;
  } catch (failure) {
    error = codeFor(failure);
  }
  const set = { status, error, took_ms: Math.round(performance.now() - started) };
  const seconds = waits[row.attempts - 1];
  await app.unscoped(async (db) => {
    if (error === null) {
      await move(db, deliveries, 'succeed', [row.id], { set: { ...set, ended_at: sql`now()` } });
      await db
        .updateTable('settings_webhook')
        .set({ failing_since: null, given_up_at: null })
        .where('id', '=', row.webhook_id)
        .where((eb) => eb.or([eb('failing_since', 'is not', null), eb('given_up_at', 'is not', null)]))
        .execute();
    } else if (isOnce) {
      await move(db, deliveries, 'giveUp', [row.id], { set: { ...set, ended_at: sql`now()` } });
    } else if (seconds === undefined || status === 410) {
      await move(db, deliveries, 'giveUp', [row.id], { set: { ...set, ended_at: sql`now()` } });
      await tellGivenUp(db, row);
    } else {
      await move(db, deliveries, 'putOff', [row.id], { set: { ...set, next_at: sql`now() + make_interval(secs => ${seconds})` } });
      await sql`update settings_webhook set failing_since = coalesce(failing_since, now()) where id = ${row.webhook_id}`.execute(db);
    }
    await app.invalidate(db, homes[kindOf(row)].group, row.dept_path);
  });
}

/** What of the private networks each kind may reach. */
const allowedFor = async (db: Db) => {
  const { webhooks: own, alarms: receiver, callbacks } = await readSetting(db, 'outbound');
  const allowed: Readonly<Record<WebhookKind, Allowed>> = { own, receiver, app: callbacks };
  return (row: Due) => allowed[kindOf(row)];
};
const takeNow = (app: AppContext, lane: Lane, most: number) =>
  app.unscoped(async (db) => ({ rows: await take(db, lane, most), allowed: await allowedFor(db) }));

/** Sends all that is due now; answers how many. */
export async function deliverDue(app: AppContext): Promise<number> {
  let sent = 0;
  for (const lane of lanes)
    for (;;) {
      const { rows, allowed } = await takeNow(app, lane, AT_ONCE);
      if (rows.length === 0) break;
      await Promise.all(rows.map((row) => attempt(app, row, allowed(row))));
      sent += rows.length;
    }
  return sent;
}

/** Sends these now and once: whoever asked is told what came of it. */
export async function deliverOnce(app: AppContext, ids: readonly number[]): Promise<void> {
  const { rows, allowed } = await app.unscoped(async (db) => ({ rows: await taken(db, ids), allowed: await allowedFor(db) }));
  await Promise.all(rows.map((row) => attempt(app, row, allowed(row), true)));
}

/** Sends what is due in one lane for as long as it runs; a slow answer keeps nothing else back. Answers how to end it. */
function run(app: AppContext, lane: Lane): () => Promise<void> {
  const underWay = new Set<Promise<unknown>>();
  const ending = new AbortController();
  const failed = (error: unknown) => app.log.warn({ error: String(error) }, 'webhooks not delivered; trying again');
  const begin = async () => {
    const { rows, allowed } = await takeNow(app, lane, AT_ONCE - underWay.size);
    for (const row of rows) {
      const one: Promise<unknown> = attempt(app, row, allowed(row))
        .catch(failed)
        .finally(() => underWay.delete(one));
      underWay.add(one);
    }
  };
  const loop = async () => {
    while (!ending.signal.aborted) {
      if (underWay.size < AT_ONCE) await begin().catch(failed);
      const tick = wait(TICK_MS, undefined, { signal: ending.signal }).catch(() => undefined);
      await Promise.race([tick, ...underWay]);
    }
    await Promise.all(underWay);
  };
  const running = loop();
  return () => {
    ending.abort();
    return running;
  };
}

export const webhookService: Service = {
  of: 'worker',
  name: 'settings:webhooks',
  start(app) {
    const ends = lanes.map((lane) => run(app, lane));
    return async () => void (await Promise.all(ends.map((end) => end())));
  },
};
