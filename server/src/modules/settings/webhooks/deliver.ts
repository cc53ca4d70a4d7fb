import { webhookMachine } from '@mooring/contract/settings/state-machines';
import { sql } from 'kysely';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Db } from '../../../platform/context.ts';
import { cut } from '../../../platform/cut.ts';
import { move, statefulTable } from '../../../platform/db/move.ts';
import type { Service } from '../../../platform/module.ts';
import { sendOutside } from '../../../platform/outbound/door.ts';
import { signed } from '../../../platform/outbound/sign.ts';
import { readSetting } from '../../../platform/settings.ts';
import { notify } from '../../message/api.ts';

export const deliveries = statefulTable('settings_webhook_delivery', webhookMachine);
const GROUP = '/sysSetting/webhook';
const RECEIVERS = '/alarmReceiverConfig';
const SECRET = 'webhook';
const TICK_MS = 1000;
const AT_ONCE = 20;
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
  /** Set where it is the address of a list of alarm receivers. */
  readonly receiver_id: number | null;
  readonly name: string;
  readonly url: string;
  readonly secret_sealed: Buffer;
  readonly dept_path: string;
}

/** Takes what is due, each row by one process; addresses that were switched off keep theirs until they are on again. */
async function take(db: Db): Promise<Due[]> {
  const due = await sql<{ id: number }>`
    select d.id from settings_webhook_delivery d join settings_webhook w on w.id = d.webhook_id and w.enabled
    where d.next_at <= now() and (d.state = 'waiting' or (d.state = 'sending' and d.${LOST})) order by d.next_at limit ${AT_ONCE} for update of d skip locked`.execute(
    db,
  );
  return taken(
    db,
    due.rows.map((row) => row.id),
  );
}

/** Those of them that may be taken, with where they go. */
async function taken(db: Db, wanted: readonly number[]): Promise<Due[]> {
  if (wanted.length === 0) return [];
  const moved = await move(db, deliveries, 'take', wanted, { set: { attempts: sql`attempts + 1`, next_at: sql`now()` } });
  const rows = await sql<Due>`
    select d.id, d.event_id, d.event, d.body, d.attempts, d.webhook_id, w.receiver_id, w.name, w.url, w.secret_sealed, d.dept_path
    from settings_webhook_delivery d join settings_webhook w on w.id = d.webhook_id where d.id = any(${moved.map(({ id }) => id)}::bigint[])`.execute(
    db,
  );
  return rows.rows;
}

/** Who hears that it was given up, and where they see why. */
const lookers = (row: Due) =>
  row.receiver_id === null
    ? ({ can: 'settings:webhook:page', link: '/system/settings?tab=webhooks' } as const)
    : ({ can: 'alert:alarm:page', link: '/device/alertPush?tab=receivers' } as const);

/** One try. It is settled whatever happens; a second run would send the same event id again, which receivers leave out. */
async function attempt(app: AppContext, row: Due, allowed: readonly string[], isOnce = false): Promise<void> {
  const started = performance.now();
  let status: number | null = null;
  let error: string | null = null;
  try {
    const headers = signed(openWebhookSecret(app, row.secret_sealed), row.event_id, app.now(), row.body);
    const answer = await sendOutside({ url: row.url, headers, body: row.body, allowed });
    status = answer.status;
    if (status < 200 || status >= 300) error = (answer.isPublic && cut(answer.text, 300)) || `HTTP ${status}`;
  } catch (failure) {
    error = cut(String((failure as { fault?: string }).fault ?? (failure as Error).message), 300);
  }
  const set = { status, error, took_ms: Math.round(performance.now() - started) };
  const wait = waits[row.attempts - 1];
  await app.unscoped(async (db) => {
    if (error === null) {
      await move(db, deliveries, 'succeed', [row.id], { set: { ...set, ended_at: sql`now()` } });
      await db
        .updateTable('settings_webhook')
        .set({ failing_since: null })
        .where('id', '=', row.webhook_id)
        .where('failing_since', 'is not', null)
        .execute();
    } else if (isOnce) {
      await move(db, deliveries, 'giveUp', [row.id], { set: { ...set, ended_at: sql`now()` } });
    } else if (wait === undefined || status === 410) {
      const { can, link } = lookers(row);
      await move(db, deliveries, 'giveUp', [row.id], { set: { ...set, ended_at: sql`now()` } });
      await notify(db, {
        name: 'webhookFailed',
        params: { name: row.name, event: row.event },
        to: { above: row.dept_path, can },
        deptPath: row.dept_path,
        link,
      });
    } else {
      await move(db, deliveries, 'putOff', [row.id], { set: { ...set, next_at: sql`now() + make_interval(secs => ${wait})` } });
      await sql`update settings_webhook set failing_since = coalesce(failing_since, now()) where id = ${row.webhook_id}`.execute(db);
    }
    await app.invalidate(db, row.receiver_id === null ? GROUP : RECEIVERS, row.dept_path);
  });
}

/** Sends what is due now; answers how many. */
export async function deliverDue(app: AppContext): Promise<number> {
  const { rows, allowed } = await app.unscoped(async (db) => ({
    rows: await take(db),
    allowed: (await readSetting(db, 'outbound')).webhooks,
  }));
  await Promise.all(rows.map((row) => attempt(app, row, allowed)));
  return rows.length;
}

/** Sends these now and once: whoever asked is told what came of it. */
export async function deliverOnce(app: AppContext, ids: readonly number[]): Promise<void> {
  const { rows, allowed } = await app.unscoped(async (db) => ({
    rows: await taken(db, ids),
    allowed: (await readSetting(db, 'outbound')).webhooks,
  }));
  await Promise.all(rows.map((row) => attempt(app, row, allowed, true)));
}

export const webhookService: Service = {
  of: 'worker',
  name: 'settings:webhooks',
  start(app) {
    let timer: NodeJS.Timeout | undefined;
    let stopped = false;
    let running: Promise<unknown> = Promise.resolve();
    const tick = () => {
      running = deliverDue(app)
        .catch((error: unknown) => {
          app.log.warn({ error: String(error) }, 'webhooks not delivered; trying again');
          return 0;
        })
        .then((sent) => {
          if (!stopped) timer = setTimeout(tick, sent === AT_ONCE ? 0 : TICK_MS);
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
