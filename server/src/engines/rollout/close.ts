import { type RawBuilder, sql } from 'kysely';
import type { AppContext } from '../../platform/app-context.ts';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { revokeMessages } from '../../platform/gateway/send-messages.ts';
import { resultRows } from './task.ts';

const CANCEL_DAYS = 7;
export const TIMED_OUT = 'timeout';

/** Attempts by a difference that nothing was heard of in time: what ends in the middle of one can't say so. A late word replaces it. */
export const noteTimedOut = (db: Db, offers: readonly (string | null)[]) =>
  sql`update rollout_attempt set reason = ${TIMED_OUT} where offer = any(${offers}::text[]) and full_size is not null and ended_at is null`.execute(
    db,
  );

interface Open {
  readonly id: number;
  readonly device_id: number;
  readonly offer: string | null;
  readonly state: string;
}

/**
 * Ends open results of a condition, at most `limit`, and tells the terminals that have an offer. `cancel` ends all; `expire` ends what
 * wasn't sent, and what was becomes timed out (design 2: "When a task ends, 1 and 8 become 9 with their reason, 2 becomes 5").
 */
export async function closeResults(
  db: Db,
  app: Pick<AppContext, 'now' | 'sendMessages'>,
  condition: RawBuilder<boolean>,
  how: 'cancel' | 'expire' | 'deviceDeleted',
  reason: string,
  limit: number,
): Promise<number> {
  const found =
    await sql<Open>`select id, device_id, offer, state from rollout_result where state in ('1', '2', '8') and ${condition} order by id limit ${limit} for update`.execute(
      db,
    );
  if (found.rows.length === 0) return 0;
  const now = app.now();
  const set = { reason, ended_at: now, changed_at: now };
  const ids = (states: readonly string[]) => found.rows.filter((row) => states.includes(row.state)).map((row) => row.id);
  if (how === 'expire') {
    await move(db, resultRows, 'expire', ids(['1', '8']), { set, detail: { reason } });
    await move(db, resultRows, 'timeOut', ids(['2']), { set, detail: { reason } });
    await noteTimedOut(
      db,
      found.rows.flatMap((row) => (row.state === '2' ? [row.offer] : [])),
    );
  } else await move(db, resultRows, how, ids(['1', '2', '8']), { set, detail: { reason } });
  const offered = found.rows.filter((row): row is Open & { offer: string } => row.offer !== null && row.state !== '1');
  if (offered.length > 0) {
    await revokeMessages(
      db,
      offered.map((row) => row.offer),
    );
    const expiresAt = new Date(now.getTime() + CANCEL_DAYS * 86_400_000);
    if (how !== 'deviceDeleted')
      await app.sendMessages(
        db,
        offered.map((row) => ({
          deviceId: row.device_id,
          kind: 'cancel' as const,
          key: `c-${row.offer}`,
          data: { offer: row.offer, reason },
          expiresAt,
        })),
      );
  }
  return found.rows.length;
}
