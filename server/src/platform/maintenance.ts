import { sql } from 'kysely';
import type { AppContext } from './app-context.ts';
import { sealAudit } from './audit/seal-chain.ts';

const SEAL_MS = 2000;

/** Chains new audit rows, every two seconds; whichever process is first does it. */
export function startSealer(app: AppContext): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running: Promise<unknown> = Promise.resolve();
  const said = new Set<string>();
  const onWrong = (what: string) => {
    if (!said.has(what)) app.log.error({ what }, "the audit log isn't what was sealed; verify it");
    said.add(what);
  };
  const tick = () => {
    running = sealAudit(app, onWrong)
      .catch((error: unknown) => app.log.warn({ error: String(error) }, 'audit not sealed; trying again'))
      .then(() => {
        if (!stopped) timer = setTimeout(tick, SEAL_MS);
      });
  };
  tick();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}

/** One process at a time runs the seeds of all modules. */
export async function seed(
  app: AppContext,
  seeds: readonly ((db: Parameters<Parameters<AppContext['unscoped']>[0]>[0]) => Promise<void>)[],
): Promise<void> {
  await app.unscoped(async (db) => {
    await sql`select pg_advisory_xact_lock(7103)`.execute(db);
    for (const one of seeds) await one(db);
  });
}
