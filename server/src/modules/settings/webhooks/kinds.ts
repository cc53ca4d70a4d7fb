import { type RawBuilder, sql } from 'kysely';

/** Whose an address is: added by itself, with a list of alarm receivers, or with an app. The latter two are changed there alone. */
export type WebhookKind = 'own' | 'receiver' | 'app';

/** Webhooks `w` of a kind. One that is gone is of none: it isn't anyone's any more. */
export const ofKind: Readonly<Record<WebhookKind, RawBuilder<boolean>>> = {
  own: sql<boolean>`(w.receiver_id is null and w.app_id is null and w.deleted_at is null)`,
  receiver: sql<boolean>`(w.receiver_id is not null)`,
  app: sql<boolean>`(w.app_id is not null)`,
};

export const kindOf = (row: { readonly receiver_id: number | null; readonly app_id: number | null }): WebhookKind =>
  row.receiver_id !== null ? 'receiver' : row.app_id !== null ? 'app' : 'own';

const whileFailing = <T>(value: RawBuilder<unknown>) =>
  sql<T | null>`case when w.failing_since is not null and w.enabled then ${value} end`;
const waiting = sql`select min(d.next_at) from settings_webhook_delivery d where d.webhook_id = w.id and d.state = 'waiting'`;
/** Of a webhook `w` that nothing gets through to: when it is tried next, and why it last failed. A new event, not tried yet, says neither. */
export const nextTry = [
  whileFailing<Date>(sql`coalesce((${waiting} and d.error is not null), (${waiting}))`).as('next_at'),
  whileFailing<string>(
    sql`(select d.error from settings_webhook_delivery d where d.webhook_id = w.id and d.error is not null order by d.created_at desc, d.id desc limit 1)`,
  ).as('error'),
] as const;
