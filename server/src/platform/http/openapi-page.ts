import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { openApi } from './openapi.ts';

/** The document at /docs/openapi.json and a page to read it at /docs/api. */
export async function serveApiDocs(app: FastifyInstance): Promise<void> {
  let text: string | undefined;
  app.get('/docs/openapi.json', async (_request, reply) => reply.type('application/json').send((text ??= JSON.stringify(openApi()))));
  await app.register(async (docs) => {
    docs.addHook('onSend', async (_request, reply) => {
      // The reader page brings its own inline start; it holds no session and calls nothing but this server.
      void reply.header('content-security-policy', "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; frame-ancestors 'none'");
    });
    await docs.register(scalar, { routePrefix: '/docs/api', configuration: { url: '/docs/openapi.json', withDefaultFonts: false, hideClientButton: true, telemetry: false } as object });
  });
}
