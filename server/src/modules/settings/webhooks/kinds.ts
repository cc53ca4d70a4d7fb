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

const ofNext = <T>(column: string) =>
  sql<T | null>`case when w.failing_since is not null and w.enabled then
    (select ${sql.ref(column)} from settings_webhook_delivery d where d.webhook_id = w.id and d.state = 'waiting' order by d.next_at limit 1) end`;
/** Of a webhook `w` that nothing gets through to: when it is tried next, and why it last failed. */
export const nextTry = [ofNext<Date>('d.next_at').as('next_at'), ofNext<string>('d.error').as('error')] as const;
