import type { AppContext } from '../app-context.ts';

const ERROR_LENGTH = 500;

interface Begun {
  readonly name: string;
  readonly worker: string;
  /** Who started it by hand. */
  readonly asked: string | undefined;
}

/** Writes down when a recurring job began and what became of it; in transactions of their own, so that a failure stays. */
export async function recordRun(app: AppContext, { name, worker, asked }: Begun, run: () => Promise<void>): Promise<void> {
  const { id } = await app.unscoped((db) =>
    db
      .insertInto('job_run')
      .values({ name, worker, mode: asked === undefined ? '1' : '0', by_name: asked ?? null, started_at: app.now() })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const end = (outcome: 'done' | 'failed', error: string | null) =>
    app.unscoped((db) => db.updateTable('job_run').set({ outcome, error, ended_at: app.now() }).where('id', '=', id).execute());
  try {
    await run();
  } catch (error) {
    // What went wrong is said, also where it can't be written down.
    await end('failed', String(error).slice(0, ERROR_LENGTH)).catch(() => {});
    throw error;
  }
  await end('done', null);
}
