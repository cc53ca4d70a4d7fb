import { Fault, fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import type { Webhook, webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { webhookCalls as declared } from '@mooring/contract/settings/webhook-calls';
import { webhookEvents } from '@mooring/contract/webhook-events';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../../platform/allowed-actions.ts';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { all, containsWords } from '../../../platform/db/criteria.ts';
import { page } from '../../../platform/db/page.ts';
import type { Handler, Route } from '../../../platform/module.ts';
import { handlers } from '../../../platform/module.ts';
import { checkOutside, hostOf } from '../../../platform/outbound/door.ts';
import { newSecret } from '../../../platform/outbound/sign.ts';
import { readSetting } from '../../../platform/settings.ts';
import { startExport } from '../../../platform/work/exporter.ts';
import { rowExporter } from '../../../platform/work/row-exporter.ts';
import { sealWebhookSecret } from './deliver.ts';
import { deliveriesOf, eventCell, LOG, problemCell, SEES_LOG } from './deliveries.ts';
import { addressed, gone, queueTest } from './kept.ts';
import { nextTry, ofKind } from './kinds.ts';

const { update, newSecret: renew, test: tryOut, delete: remove } = declared;
const acts = { update, newSecret: renew, test: tryOut, delete: remove };
const logEvents = ['done', 'refused'] as const;

const select = (db: Db) =>
  db
    .selectFrom('settings_webhook as w')
    .innerJoin('org_dept as o', 'o.id', 'w.dept_id')
    .where(ofKind.own)
    .select([
      'w.id',
      'w.name',
      'w.url',
      'w.events',
      'w.enabled',
      'w.dept_id',
      'o.name as dept_name',
      'w.failing_since',
      ...nextTry,
      'w.created_at',
      'w.revision',
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;
const webhookOf =
  (ctx: Ctx) =>
  (row: Row): z.input<typeof Webhook> => ({
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events,
    enabled: row.enabled,
    deptId: row.dept_id,
    deptName: row.dept_name,
    failingSince: row.failing_since,
    nextAt: row.next_at,
    error: row.error,
    revision: row.revision,
    createdAt: row.created_at,
    ...allowing(allowedActions(ctx, acts)),
  });

async function readWebhook(ctx: Ctx, db: Db, id: number) {
  const row = await select(db).where('w.id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return webhookOf(ctx)(row);
}

interface Input {
  name: string;
  url: string;
  events: string[];
  deptId: number;
  enabled: boolean;
}
/** An event that nothing says would wait for ever in silence. */
function checkEvents(ctx: Ctx, events: readonly string[]): void {
  for (const event of events) {
    if (event === '*') continue;
    const [name, what] = event.split('.');
    if (name === LOG) {
      if (what !== '*' && !logEvents.some((one) => one === what)) throw new Fault('BAD_INPUT', { fields: { events: 'invalid.event' } });
      if (!isAllowed(ctx.actor.permissions, SEES_LOG)) throw new Fault('BAD_INPUT', { fields: { events: 'invalid.eventLog' } });
      continue;
    }
    const life = webhookEvents.find((one) => one.name === name);
    if (!life || (what !== '*' && !Object.hasOwn(life.events, what ?? '') && what !== 'created'))
      throw new Fault('BAD_INPUT', { fields: { events: 'invalid.event' } });
  }
}
async function columns(ctx: Ctx, input: Input) {
  checkEvents(ctx, input.events);
  const { webhooks } = await ctx.inTx((db) => readSetting(db, 'outbound'));
  await checkOutside(hostOf(input.url), webhooks);
  const dept = await ctx.inTx((db) =>
    db.selectFrom('org_dept').select(['id', 'dept_path']).where('id', '=', input.deptId).executeTakeFirstOrThrow(),
  );
  return {
    name: input.name,
    url: input.url,
    events: [...new Set(input.events)],
    enabled: input.enabled,
    dept_id: dept.id,
    dept_path: dept.dept_path,
  };
}

const test: Handler<typeof webhookCalls.test> = async (ctx, { id }) => {
  const { name } = await readWebhook(ctx, ctx.db, id);
  const queued = await queueTest(ctx, ctx.db, id, name);
  ctx.audit({ target: `webhook ${name}` });
  return sent.read(ctx, queued ?? 0);
};

const pageWebhooks: Handler<typeof webhookCalls.page> = (ctx, { criteria, page: wanted }) => {
  const query = select(ctx.db).where(
    all(
      containsWords(['w.name', 'w.url'], criteria.text),
      criteria.enabled === undefined ? undefined : sql<boolean>`w.enabled = ${criteria.enabled}`,
    ),
  );
  return page(ctx.db, query, { page: wanted, sorts: { name: 'w.name', createdAt: 'w.created_at' }, id: 'w.id', map: webhookOf(ctx) });
};
const webhookExporter = rowExporter(declared.page, declared.export, {
  title: 'settings.tab.webhooks',
  page: pageWebhooks,
  sort: 'name',
  columns: {
    name: 'settings.webhook.name',
    url: 'settings.webhook.url',
    events: ['settings.webhook.events', eventCell],
    deptName: 'settings.webhook.dept',
    enabled: 'settings.webhook.enabled',
    failingSince: 'settings.webhook.failingSince',
    error: ['settings.out.error', problemCell],
    nextAt: 'settings.webhook.nextAt',
    createdAt: 'device.createdAt',
  },
});
const sent = deliveriesOf(declared, 'own');
export const webhookExporters = [webhookExporter, sent.exporter];

export const webhookRoutes = (app: AppContext): Route[] =>
  handlers(declared, {
    page: pageWebhooks,
    export: (ctx, input) => startExport(ctx, webhookExporter, input),
    detail: (ctx, { id }) => readWebhook(ctx, ctx.db, id),
    add: async (ctx, input) => {
      const values = await columns(ctx, input);
      const secret = newSecret();
      ctx.audit({ target: `webhook ${input.name}`, after: { url: input.url, events: input.events } });
      return ctx.inTx(async (db) => {
        const { id } = await db
          .insertInto('settings_webhook')
          .values({ ...values, secret_sealed: sealWebhookSecret(app, secret) })
          .returning('id')
          .executeTakeFirstOrThrow();
        return { secret, row: await readWebhook(ctx, db, id) };
      });
    },
    update: async (ctx, { id, ...input }) => {
      const before = await ctx.inTx((db) => readWebhook(ctx, db, id));
      const values = await columns(ctx, input);
      ctx.audit({
        target: `webhook ${before.name}`,
        before: { url: before.url, events: before.events, enabled: before.enabled },
        after: { url: input.url, events: input.events, enabled: input.enabled },
      });
      return ctx.inTx(async (db) => {
        await db
          .updateTable('settings_webhook')
          .set({ ...values, ...addressed(values.url) })
          .where('id', '=', id)
          .execute();
        return readWebhook(ctx, db, id);
      });
    },
    newSecret: async (ctx, { id }) => {
      const { name } = await readWebhook(ctx, ctx.db, id);
      const secret = newSecret();
      await ctx.db
        .updateTable('settings_webhook')
        .set({ secret_sealed: sealWebhookSecret(app, secret) })
        .where('id', '=', id)
        .execute();
      ctx.audit({ target: `webhook ${name}` });
      return { secret };
    },
    delete: async (ctx, { id }) => {
      const before = await readWebhook(ctx, ctx.db, id);
      await ctx.db.updateTable('settings_webhook').set(gone).where('id', '=', id).execute();
      ctx.audit({ target: `webhook ${before.name}`, before: { url: before.url, events: before.events } });
      return null;
    },
    test,
    ...sent.handlers,
    events: async (ctx) => [
      ...webhookEvents.map((life) => ({ life: life.name, events: Object.keys(life.events) })),
      ...(isAllowed(ctx.actor.permissions, SEES_LOG) ? [{ life: LOG, events: [...logEvents] }] : []),
    ],
  });
