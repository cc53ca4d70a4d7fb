import { sql } from 'kysely';
import type { Actor, Db, JobOptions, Scope } from '../context.ts';

/** What a job's row carries: its payload, and who asked for it. Rights are derived again when it runs. */
export interface Envelope {
  readonly payload: unknown;
  /** Who started a recurring job by hand. It runs as it always does. */
  readonly asked?: string;
  readonly by?: {
    readonly userId: number;
    readonly scope: Scope;
    readonly lang: string;
    readonly timeZone: string;
    /** Asked for with an API token: what it was allowed then bounds the job too. */
    readonly apiToken?: Actor['apiToken'];
    readonly permissions?: readonly string[];
  };
}

/** A job that puts itself off would go round in circles where the clock that it goes by is behind the database's. */
const laterAt = (at: Date | undefined) =>
  at ? sql`greatest(${at}::timestamptz, clock_timestamp() + interval '1 second')` : sql`null::timestamptz`;

/** Queues a job in the transaction of `db`. A `key` replaces an earlier job of the same key that hasn't run yet; what is put off comes a second later at least. */
export async function enqueue(db: Db, job: string, envelope: Envelope, options: JobOptions = {}): Promise<void> {
  await sql`select enqueue_job(${job}, ${JSON.stringify(envelope)}::json, ${laterAt(options.runAt)}, ${options.key ?? null}, ${options.maxAttempts ?? null}::int)`.execute(
    db,
  );
}
