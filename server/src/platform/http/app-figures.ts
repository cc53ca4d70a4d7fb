import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import { freeDisk } from '../files/free-disk.ts';

export interface Figure {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}
export interface AppFigure {
  readonly help: string;
  readonly labels: readonly string[];
  read(app: AppContext): Promise<readonly Figure[]>;
}

const one = (value: number | null | undefined): readonly Figure[] => (value === null || value === undefined ? [] : [{ labels: {}, value }]);

/** A figure that the database keeps, for all processes together. Far counts are cut off: a scrape must not read a million rows. */
const query = (
  help: string,
  labels: readonly string[],
  text: ReturnType<typeof sql<Record<string, string | number | null>>>,
): AppFigure => ({
  help,
  labels,
  read: async (app) => {
    const found = await app.readOnly((db) => text.execute(db));
    return found.rows.map((row) => ({
      labels: Object.fromEntries(labels.map((name) => [name, String(row[name] ?? '')])),
      value: Number(row.value ?? 0),
    }));
  },
});
const row = sql<Record<string, string | number | null>>;
const FAR = sql.lit(100_000);

const secondsUntil = (app: AppContext, pem: string) => (Date.parse(new X509Certificate(pem).validTo) - app.now().getTime()) / 1000;
const disk = async (app: AppContext) => statfs(app.config.DATA_DIR);

/** What an operator watches of the whole installation. docs/operate.md lists them, packaging/ has a dashboard and alerts of them. */
export const appFigures: Readonly<Record<string, AppFigure>> = {
  terminals: query(
    'Terminals by status: 1 expected, 2 out of contact, 3 in contact, 4 disabled',
    ['status'],
    row`
    select status, sum(n)::float8 as value from device_tally group by status`,
  ),
  terminals_connected: query(
    'Terminals in contact, whichever process or broker they are connected to',
    [],
    row`
    select coalesce(sum(n), 0)::float8 as value from device_tally where status = '3'`,
  ),
  task_devices: query(
    'Terminals of tasks that have not ended, by kind and state',
    ['kind', 'state'],
    row`
    select t.kind, y.state, sum(y.n)::float8 as value from rollout_tally y join rollout_task t on t.id = y.task_id
    where t.ended_at is null group by t.kind, y.state`,
  ),
  outbox_messages: query(
    'Messages to terminals that wait for an answer, up to 100,000',
    [],
    row`
    select count(*)::float8 as value from (select from gateway_outbox where state in ('waiting', 'sent') limit ${FAR}) o`,
  ),
  outbox_due: query(
    'Messages to terminals that are due now and not sent, up to 100,000',
    [],
    row`
    select count(*)::float8 as value from (select from gateway_outbox where state in ('waiting', 'sent') and next_at <= now() and expires_at > now() limit ${FAR}) o`,
  ),
  outbox_oldest_due_seconds: query(
    'How long the message that is due longest has been due',
    [],
    row`
    select coalesce(extract(epoch from now() - min(next_at)), 0)::float8 as value from gateway_outbox where state in ('waiting', 'sent') and next_at <= now() and expires_at > now()`,
  ),
  jobs_waiting: query(
    'Background jobs that could run now',
    ['task'],
    row`
    select task_identifier as task, count(*)::float8 as value from graphile_worker.jobs where run_at <= now() and locked_at is null and attempts < max_attempts group by task_identifier`,
  ),
  jobs_failed: query(
    'Background jobs that used up their attempts',
    [],
    row`
    select count(*)::float8 as value from graphile_worker.jobs where attempts >= max_attempts`,
  ),
  jobs_oldest_seconds: query(
    'How long the job that waits longest could have run',
    [],
    row`
    select coalesce(extract(epoch from now() - min(run_at)), 0)::float8 as value from graphile_worker.jobs where run_at <= now() and locked_at is null and attempts < max_attempts`,
  ),
  mails: query(
    'Mails and text messages of the last day, by state',
    ['state'],
    row`
    select state, count(*)::float8 as value from mail_message where created_at > now() - interval '1 day' group by state`,
  ),
  mails_oldest_seconds: query(
    'How long the mail that waits longest has waited',
    [],
    row`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as value from mail_message where state in ('waiting', 'sending')`,
  ),
  webhooks: query(
    'Deliveries of webhooks of the last day, by state',
    ['state'],
    row`
    select state, count(*)::float8 as value from settings_webhook_delivery where created_at > now() - interval '1 day' group by state`,
  ),
  webhooks_oldest_seconds: query(
    'How long the delivery that waits longest has waited, those to systems of developers left out',
    [],
    row`
    select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as value from settings_webhook_delivery
    where state in ('waiting', 'sending') and webhook_id not in (select id from settings_webhook where app_id is not null or deleted_at is not null)`,
  ),
  log_forward_waiting: query(
    'Entries of the audit log that wait to be forwarded by syslog, up to 100,000; 0 where it is off',
    [],
    row`
    select (select count(*) from (select from audit_entry where seal_no > f.seal_no limit ${FAR}) w)::float8 as value from audit_forward f
    join settings_value s on s.type = 'syslog' and s.value->>'enabled' = 'true'`,
  ),
  log_forward_oldest_seconds: query(
    'How long the entry that waits longest to be forwarded by syslog has waited',
    [],
    row`
    select coalesce(extract(epoch from now() - (select at from audit_entry where seal_no > f.seal_no order by seal_no limit 1)), 0)::float8 as value from audit_forward f
    join settings_value s on s.type = 'syslog' and s.value->>'enabled' = 'true'`,
  ),
  signings_waiting: query(
    'Approved signatures that wait, by what for: token (the hardware token), time (a time-stamping service)',
    ['for'],
    row`
    select waits_for as for, count(*)::float8 as value from signing_job where waits_since is not null group by waits_for`,
  ),
  signings_oldest_seconds: query(
    'How long the signature that waits longest for its token or time stamp has waited',
    [],
    row`
    select coalesce(extract(epoch from now() - min(waits_since)), 0)::float8 as value from signing_job where waits_since is not null`,
  ),
  partitions_ahead_days: query(
    'For how many days the partitions of a table are there already',
    ['table'],
    row`
    select h.inhparent::regclass::text as table, (max(substring(pg_get_expr(c.relpartbound, c.oid) from $re$TO \('([^']+)'\)$re$)::timestamptz) - now()) / interval '1 day' as value
    from pg_inherits h join pg_class c on c.oid = h.inhrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relispartition and c.relkind = 'r' and pg_get_expr(c.relpartbound, c.oid) like 'FOR VALUES FROM%' group by h.inhparent`,
  ),
  database_bytes: query('Size of the database', [], row`select pg_database_size(current_database())::float8 as value`),
  certificate_ends_seconds: {
    help: 'Seconds until a certificate of this installation ends',
    labels: ['certificate'],
    async read(app) {
      const found = await app.readOnly((db) =>
        sql<{
          role: string;
          certificate: string;
        }>`select role, certificate from gateway_key where certificate is not null and retired_at is null`.execute(db),
      );
      const { TLS_CERT, MQTT_CERT } = app.config;
      const all: (readonly [string, string])[] = [
        ...found.rows.map(({ role, certificate }) => [role, certificate] as const),
        ...(TLS_CERT ? [['TLS_CERT', readFileSync(TLS_CERT, 'utf8')] as const] : []),
        ...(MQTT_CERT ? [['MQTT_CERT', readFileSync(MQTT_CERT, 'utf8')] as const] : []),
      ];
      return all.map(([certificate, pem]) => ({ labels: { certificate }, value: secondsUntil(app, pem) }));
    },
  },
  revocations_age_seconds: {
    help: "Age of an outside broker's revocation list, which holds a week",
    labels: [],
    async read(app) {
      const { BROKER_FILES } = app.config;
      const made = BROKER_FILES ? statSync(join(BROKER_FILES, 'crl.pem'), { throwIfNoEntry: false })?.mtimeMs : undefined;
      return one(made === undefined ? undefined : (app.now().getTime() - made) / 1000);
    },
  },
  disk_free_bytes: {
    help: 'Room left where DATA_DIR lies',
    labels: [],
    read: async (app) => freeDisk(app.config.DATA_DIR).then(one),
  },
  disk_size_bytes: {
    help: 'Size of the file system where DATA_DIR lies',
    labels: [],
    read: async (app) => disk(app).then((at) => one(at.blocks * at.bsize)),
  },
};
