import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Actor, Db, JobOptions, Scope } from '../context.ts';
import { queuedJobs, turns } from './queued-jobs.ts';

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

/**
 * What is about the same rows is queued once, also where its caller names no key. It is nobody's: who comes to the same rows later would take the
 * earlier one's place, and with the right of theirs that is lost meanwhile it would go for both.
 */
function ofRows(job: string, envelope: Envelope, key: string | undefined): { key: string | null; envelope: Envelope } {
  if (key !== undefined || queuedJobs[job]?.bound !== 'row') return { key: key ?? null, envelope };
  const { by: _whoever, ...own } = envelope;
  return { key: `${job}:${createHash('sha256').update(JSON.stringify(own.payload)).digest('base64url')}`, envelope: own };
}

/**
 * Queues a job in the transaction of `db`, at its turn. A `key` replaces an earlier job of the same key that hasn't run yet; what is put off comes
 * a second later at least. What comes by its schedule, and is begun by hand, is of the installation.
 */
export async function enqueue(db: Db, job: string, envelope: Envelope, options: JobOptions = {}): Promise<void> {
  const of = ofRows(job, envelope, options.key);
  const turn = turns[queuedJobs[job]?.turn ?? 'soon'];
  await sql`select enqueue_job(${job}, ${JSON.stringify(of.envelope)}::json, ${laterAt(options.runAt)}, ${of.key}, ${options.maxAttempts ?? null}::int, ${turn}::int)`.execute(
    db,
  );
}
