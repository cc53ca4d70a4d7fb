import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { House } from '../house.ts';

/** `/healthz`: the process lives. `/readyz`: its database answers within 2 s. */
export function serveHealth(app: FastifyInstance, house: House): void {
  app.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'));
  app.get('/readyz', async (_request, reply) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('late')), 2000);
    });
    try {
      await Promise.race([house.unscoped((db) => sql`select 1`.execute(db)), late]);
      return reply.type('text/plain').send('ready\n');
    } catch {
      return reply.code(503).type('text/plain').send('database does not answer\n');
    } finally {
      clearTimeout(timer);
    }
  });
}
