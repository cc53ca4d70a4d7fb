import { fault } from '@mooring/contract/kit/fault';
import { isAllowed } from '@mooring/contract/kit/permission';
import { webhookMachine } from '@mooring/contract/settings/state-machines';
import type { Delivery, webhookCalls } from '@mooring/contract/settings/webhook-calls';
import { eventWords, problemWords } from '@mooring/contract/settings/webhook-words';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../../platform/context.ts';
import { all, contains, exact, range } from '../../../platform/db/criteria.ts';
import { move } from '../../../platform/db/move.ts';
import { page } from '../../../platform/db/page.ts';
import type { Handler } from '../../../platform/module.ts';
import { t } from '../../../platform/texts/translate.ts';
import { startExport } from '../../../platform/work/exporter.ts';
import { rowExporter } from '../../../platform/work/row-exporter.ts';
import { deliveries } from './deliver.ts';
import { ofKind, type WebhookKind } from './kinds.ts';

/** Entries of the log are told to those who asked for them by name, and may see them. */
export const LOG = 'audit';
export const SEES_LOG = 'audit:log:page||audit:management:page';

/** Codes in the words of the console, for files. */
const said = (words: typeof eventWords) => (code: string, lang: string) =>
  words(code, (key, otherwise) => {
    const text = t(lang, key);
    return text === key ? otherwise : text;
  });
export const eventCell = said(eventWords);
export const problemCell = said(problemWords);

type Calls = Pick<typeof webhookCalls, 'deliveries' | 'exportDeliveries' | 'replay'>;

const select = (db: Db, kind: WebhookKind) =>
  db
    .selectFrom('settings_webhook_delivery as d')
    .innerJoin('settings_webhook as w', 'w.id', 'd.webhook_id')
    .where(ofKind[kind])
    .select([
      'd.id',
      'd.event_id',
      'd.event',
      'd.state',
      'd.attempts',
      'd.status',
      'd.error',
      'd.took_ms',
      'd.body',
      'd.next_at',
      'd.created_at',
      'd.ended_at',
    ]);
type Row = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

/** What was sent to addresses of one kind, what came of it, and once more, for the calls that show it. */
export function deliveriesOf(declared: Calls, kind: WebhookKind) {
  const shown =
    (ctx: Ctx) =>
    (row: Row): z.input<typeof Delivery> => ({
      id: row.id,
      eventId: row.event_id,
      event: row.event,
      state: row.state,
      attempts: row.attempts,
      status: row.status,
      error: row.error,
      tookMs: row.took_ms,
      body: row.event.startsWith(`${LOG}.`) && !isAllowed(ctx.actor.permissions, SEES_LOG) ? null : row.body,
      nextAt: row.state === 'waiting' ? row.next_at : null,
      createdAt: row.created_at,
      endedAt: row.ended_at,
      ...allowing(allowedActions(ctx, { replay: declared.replay }, { machine: webhookMachine, state: row.state })),
    });
  async function read(ctx: Ctx, id: number) {
    const row = await select(ctx.db, kind).where('d.id', '=', id).executeTakeFirst();
    if (!row) throw fault('NOT_FOUND');
    return shown(ctx)(row);
  }
  const pageOfThem: Handler<Calls['deliveries']> = (ctx, { criteria, page: wanted }) => {
    const query = select(ctx.db, kind).where(
      all(
        exact('d.webhook_id', criteria.webhookId),
        exact('d.state', criteria.state),
        contains('d.event', criteria.event),
        range('d.created_at', criteria.createdAt),
      ),
    );
    return page(ctx.db, query, { page: wanted, sorts: { createdAt: 'd.created_at' }, id: 'd.id', map: shown(ctx) });
  };
  const exporter = rowExporter(declared.deliveries, declared.exportDeliveries, {
    title: 'settings.webhook.deliveries',
    page: pageOfThem,
    sort: 'createdAt',
    columns: {
      createdAt: 'settings.out.createdAt',
      event: ['settings.webhook.event', eventCell],
      state: ['settings.out.state', webhookMachine],
      status: 'settings.webhook.status',
      attempts: 'settings.out.attempts',
      tookMs: 'settings.webhook.took',
      error: ['settings.out.error', problemCell],
      nextAt: 'settings.webhook.nextAt',
      eventId: 'settings.webhook.eventId',
    },
  });
  const replay: Handler<Calls['replay']> = async (ctx, { id }) => {
    const before = await read(ctx, id);
    const set = { next_at: sql`now()`, attempts: 0, error: null, status: null, ended_at: null };
    if ((await move(ctx.db, deliveries, 'replay', [id], { actorId: ctx.actor.userId, set })).length === 0) throw fault('OVERTAKEN');
    ctx.audit({ target: `webhook delivery ${before.eventId}` });
    return read(ctx, id);
  };
  const exportDeliveries: Handler<Calls['exportDeliveries']> = (ctx, input) => startExport(ctx, exporter, input);
  return { read, exporter, handlers: { deliveries: pageOfThem, exportDeliveries, replay } };
}
