import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import { storeProbe } from '../files/open-store.ts';
import { keptFresh } from '../gateway/kept-fresh.ts';

const PATIENCE_MS = 2000;
/** Anybody may ask; the store is asked once for all who do within so long. */
const HELD_MS = 5000;

/** `/healthz`: the process lives. `/readyz`: its database and its object store answer within 2 s. */
export function serveHealth(http: FastifyInstance, app: AppContext): void {
  http.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'));
  const probe = storeProbe(app.config);
  const storeAnswers = probe && keptFresh(HELD_MS, () => performance.now(), probe);
  http.get('/readyz', async (_request, reply) => {
    let missing = 'database';
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('late')), PATIENCE_MS);
    });
    const all = async () => {
      await app.unscoped((db) => sql`select 1`.execute(db));
      missing = 'object store';
      await storeAnswers?.();
    };
    try {
      await Promise.race([all(), late]);
      return reply.type('text/plain').send('ready\n');
    } catch {
      return reply.code(503).type('text/plain').send(`${missing} does not answer\n`);
    } finally {
      clearTimeout(timer);
    }
  });
}
