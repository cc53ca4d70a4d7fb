import { type RawBuilder, sql } from 'kysely';

const within = sql`d.dept_path >= t.dept_path and d.dept_path < t.dept_path || '~'`;
const ofProduct = sql`(t.product_id is null or d.product_id is not distinct from t.product_id)`;
/** What holds of the terminal and the task of a result, which stands in the query by this name. */
const both = (hold: RawBuilder<unknown>) => (result: string) =>
  sql<boolean>`exists (select from device d, rollout_task t where d.id = ${sql.ref(result)}.device_id and t.id = ${sql.ref(result)}.task_id and ${hold})`;

/** Whether it is out of the reach of the task's owner. */
export const isMoved = both(sql`not (${within})`);
/** Whether the task may still be sent to it; one that a person may not see isn't there for them. */
export const isStillFor = both(sql`d.deleted_at is null and ${within} and ${ofProduct}`);

/** Why the task isn't for it any more, and how its result ends. */
export const leavings = [
  { is: both(sql`d.deleted_at is not null`), how: 'deviceDeleted', reason: 'deviceDeleted' },
  { is: isMoved, how: 'cancel', reason: 'moved' },
  // Its product was put right since.
  { is: both(sql`${within} and not ${ofProduct}`), how: 'cancel', reason: 'otherProduct' },
] as const;
