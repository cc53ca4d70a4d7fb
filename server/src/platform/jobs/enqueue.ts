import { sql } from 'kysely';
import type { Actor, Db, JobOptions, Scope } from '../context.ts';

/** What a job's row carries: its payload, and who asked for it. Rights are derived again when it runs. */
export interface Envelope {
  readonly payload: unknown;
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

/** Queues a job in the transaction of `db`. A `key` replaces an earlier job of the same key that hasn't run yet. */
export async function enqueue(db: Db, job: string, envelope: Envelope, options: JobOptions = {}): Promise<void> {
  await sql`select enqueue_job(${job}, ${JSON.stringify(envelope)}::json, ${options.runAt ?? null}::timestamptz, ${options.key ?? null}, ${options.maxAttempts ?? null}::int)`.execute(
    db,
  );
}
