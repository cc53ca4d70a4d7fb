import type { FastifyInstance } from 'fastify';
import { makeNonce } from './headers.ts';
import { openApi } from './openapi.ts';

interface Operation {
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly object[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: unknown }> };
  readonly responses: {
    readonly 200: {
      readonly content: Record<
        string,
        { readonly schema: { readonly oneOf?: readonly { readonly properties?: { readonly body?: unknown } }[] } }
      >;
    };
  };
}

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
code,pre{font:13px/1.45 ui-monospace,monospace}summary{cursor:pointer;padding:.25rem 0}summary code{font-weight:600}
pre{overflow:auto;border:1px solid #8884;border-radius:6px;padding:.75rem}details details{margin-inline-start:1rem}.m{opacity:.7}nav a{margin-inline-end:.75rem}`;

const escapeHtml = (text: string) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);
const block = (title: string, value: unknown) =>
  value === undefined ? '' : `<details><summary>${title}</summary><pre>${escapeHtml(JSON.stringify(value, undefined, 2))}</pre></details>`;

function operation(path: string, method: string, of: Operation): string {
  // Headers are the same for all, and said once.
  const own = of.parameters.filter((one) => 'name' in one);
  const input = of.requestBody && Object.values(of.requestBody.content)[0]?.schema;
  const output = Object.values(of.responses[200].content)[0]?.schema.oneOf?.[0]?.properties?.body;
  return `<details id="${escapeHtml(path)}"><summary><code>${method.toUpperCase()} ${escapeHtml(path)}</code> <span class="m">${escapeHtml(of.summary)}</span></summary>
<p>${escapeHtml(of.description)}</p>${own.length > 0 ? block('Parameters', own) : ''}${block('Input', input)}${block('Body of the answer', output)}</details>`;
}

/** The document as a page without a script: whoever reads it needs no session. */
function render(nonce: string): string {
  const { paths } = openApi() as { paths: Record<string, Record<string, Operation>> };
  const byDomain = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, of] of Object.entries(methods)) {
      const domain = of.tags[0] ?? '';
      byDomain.set(domain, [...(byDomain.get(domain) ?? []), operation(path, method, of)]);
    }
  }
  const domains = [...byDomain].sort(([a], [b]) => (a < b ? -1 : 1));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Mooring: calls</title><style nonce="${nonce}">${style}</style></head><body>
<h1>Calls of Mooring</h1><p>Each answer is <code>{ code, body, message }</code>; 200 is done. Headers: Authorization (token), Accept-Platform, Accept-Deptid, Accept-Language, Time-Zone, ProductLineId 2.
The same as a document: <a href="/docs/openapi.json">openapi.json</a>.</p><nav>${domains.map(([name]) => `<a href="#${name}">${name}</a>`).join('')}</nav>
${domains.map(([name, list]) => `<h2 id="${name}">${name}</h2>${list.join('\n')}`).join('\n')}</body></html>`;
}

/** Made at the first ask, not at the start. */
const once = (make: () => string) => {
  let made: string | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

/** The document at /docs/openapi.json and a page to read it at /docs/api. */
export function serveApiDocs(http: FastifyInstance): void {
  const document = once(() => JSON.stringify(openApi()));
  http.get('/docs/openapi.json', async (_request, reply) => reply.type('application/json').send(document()));
  http.get('/docs/api', async (_request, reply) => reply.type('text/html; charset=utf-8').send(render(makeNonce(reply))));
}
