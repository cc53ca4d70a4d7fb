import { fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { deliverOnce, sealWebhookSecret } from './deliver.ts';

const TEST = 'webhook.test';
/** Where it goes from now on: that nothing got through to the address of before says nothing about another one. */
export const addressed = (url: string) => ({
  url,
  failing_since: sql<Date | null>`case when url = ${url} then failing_since end`,
  given_up_at: sql<Date | null>`case when url = ${url} then given_up_at end`,
});
/** Deletes an address: the database wipes it, and a job what was sent there, which may be a lot. */
export const gone = { deleted_at: sql<Date>`now()` };
/** Whose address it is: it hears of what that is about alone, and stands in no list of webhooks. */
type Owner = { readonly receiverId: number } | { readonly appId: number };
interface Address {
  readonly name: string;
  /** Empty: no longer any. */
  readonly url: string;
  /** Empty: as it was. */
  readonly secret: string;
}
const held = (owner: Owner) =>
  'receiverId' in owner
    ? ({ column: 'receiver_id', table: 'alert_receiver', id: owner.receiverId } as const)
    : ({ column: 'app_id', table: 'app_app', id: owner.appId } as const);

/** Keeps the address as its owner says, in the transaction that writes the owner. */
export async function keepWebhook(app: AppContext, db: Db, owner: Owner, { name, url, secret }: Address): Promise<void> {
  const { column, table, id } = held(owner);
  if (url === '') {
    await db.updateTable('settings_webhook').set(gone).where(column, '=', id).execute();
    return;
  }
  const changed = await db
    .updateTable('settings_webhook')
    .set({
      name,
      ...addressed(url),
      ...(secret === '' ? {} : { secret_sealed: sealWebhookSecret(app, secret) }),
    })
    .where(column, '=', id)
    .executeTakeFirst();
  if (changed.numUpdatedRows > 0n) return;
  if (secret === '') throw fault('NOT_FOUND');
  await sql`
    insert into settings_webhook (name, url, secret_sealed, events, dept_id, dept_path, ${sql.ref(column)})
    select ${name}, ${url}, ${sealWebhookSecret(app, secret)}, '{}', dept_id, dept_path, id from ${sql.table(table)} where id = ${id}`.execute(
    db,
  );
}

/** What goes there next. Answers the delivery; it waits for `seconds` where it is sent at once by who queues it. */
export async function queueDelivery(db: Db, webhookId: number, event: string, body: string, seconds = 0): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into settings_webhook_delivery (webhook_id, event_id, event, body, dept_path, next_at)
    select id, 'evt_' || replace(gen_random_uuid()::text, '-', ''), ${event}, ${body}, dept_path, now() + make_interval(secs => ${seconds})
    from settings_webhook where id = ${webhookId} and deleted_at is null returning id`.execute(db);
  return rows[0]?.id;
}

/** A `webhook.test`, so that whoever set an address sees whether it takes what comes. Answers the delivery. */
export const queueTest = (ctx: Pick<Ctx, 'now'>, db: Db, webhookId: number, name: string) =>
  queueDelivery(db, webhookId, TEST, JSON.stringify({ type: TEST, timestamp: ctx.now().toISOString(), data: { name } }));

/** Whether one still waits for that address. */
export async function hasTest(db: Db, webhookId: number): Promise<boolean> {
  const row = await db
    .selectFrom('settings_webhook_delivery')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where('state', 'in', ['waiting', 'sending'])
    .where('event', '=', TEST)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export interface Outcome {
  readonly name: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly tookMs: number | null;
  /** Whose list it is. */
  readonly deptPath: string;
}
/** A process that ends in between leaves them to the worker. */
const IN_BETWEEN_SECONDS = 60;

/** Sends it there once, and answers what came of it at each. */
export async function sendToReceivers(app: AppContext, webhookIds: readonly number[], event: string, body: string): Promise<Outcome[]> {
  const queued = await app.unscoped(async (db) => {
    const ids: number[] = [];
    for (const webhookId of webhookIds) {
      const id = await queueDelivery(db, webhookId, event, body, IN_BETWEEN_SECONDS);
      if (id !== undefined) ids.push(id);
    }
    return ids;
  });
  if (queued.length === 0) return [];
  await deliverOnce(app, queued);
  return app.unscoped(async (db) => {
    const { rows } = await sql<Outcome>`
      select w.name, d.status, d.error, d.took_ms as "tookMs", w.dept_path as "deptPath" from settings_webhook_delivery d join settings_webhook w on w.id = d.webhook_id
      where d.id = any(${queued}::bigint[]) order by w.name, d.id`.execute(db);
    return rows;
  });
}
