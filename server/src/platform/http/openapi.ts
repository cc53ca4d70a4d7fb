import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { markOf, Seal, walk } from '@mooring/contract/kit/schema';
import { z } from 'zod';

const json = (schema: z.ZodType, io: 'input' | 'output'): object =>
  z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'openapi-3.0',
    override: ({ zodSchema, jsonSchema }) => {
      const mark = markOf(zodSchema as unknown as z.ZodType);
      if (mark?.sealed)
        Object.assign(jsonSchema, z.toJSONSchema(Seal, { target: 'openapi-3.0' }), {
          description: `Sealed for "${mark.sealed}"; see docs/api`,
        });
      if (mark?.ref) Object.assign(jsonSchema, { description: `Id of a ${mark.ref}` });
    },
  });

const envelope = (body: object) => ({
  type: 'object',
  required: ['code', 'body', 'message'],
  properties: {
    code: { type: 'integer', description: '200 done; 400, 401, 403, 404, 409, 413, 429, 500, 503 as docs say' },
    body,
    message: { type: 'string' },
  },
});

function parametersOf(call: Call): object[] {
  const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? '');
  const shape = (call.input as unknown as { shape?: Record<string, z.ZodType> }).shape ?? {};
  const params: object[] = inPath.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: shape[name] ? json(shape[name], 'input') : { type: 'string' },
  }));
  if (call.method === 'GET') {
    for (const [name, schema] of Object.entries(shape)) {
      if (!inPath.includes(name))
        params.push({ name, in: 'query', required: !schema.safeParse(undefined).success, schema: json(schema, 'input') });
    }
  }
  return params;
}

/** The OpenAPI document of every declared call. Generated to docs/api/openapi.json and served at /docs/api. */
export function openApi(calls: readonly Call[] = allCalls): object {
  const paths: Record<string, object> = {};
  for (const call of [...calls].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const body =
      call.wire === 'multipart'
        ? { 'multipart/form-data': { schema: { type: 'object' } } }
        : { 'application/json': { schema: json(call.input, 'input') } };
    let hasSeal = false;
    walk(call.input, undefined, (schema) => {
      hasSeal ||= markOf(schema)?.sealed !== undefined;
    });
    paths[`/ops${call.path}`] = {
      ...paths[`/ops${call.path}`],
      [call.method.toLowerCase()]: {
        tags: [call.domain],
        operationId: `${call.domain}${call.path.replace(/[^\w]+(\w)?/g, (_all, next: string | undefined) => (next ?? '').toUpperCase())}`,
        summary: call.about ?? call.name,
        description: [
          `Permission: ${typeof call.can === 'string' ? call.can : call.can.join(' and ')}`,
          call.faults.length > 0 ? `Faults: ${call.faults.join(', ')}` : '',
          hasSeal ? 'Has sealed fields.' : '',
        ]
          .filter(Boolean)
          .join('. '),
        parameters: parametersOf(call),
        ...(call.method === 'POST' ? { requestBody: { content: body } } : {}),
        ...(call.can === 'public' ? { security: [] } : {}),
        responses: {
          200: {
            description: 'Envelope',
            content:
              call.wire === 'binary'
                ? { 'application/octet-stream': {} }
                : { 'application/json': { schema: envelope(json(call.output, 'output')) } },
          },
        },
      },
    };
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Mooring',
      version: '2.2.0',
      description: 'Calls of the Mooring console. Every answer is an envelope of code, body and message.',
    },
    security: [{ token: [] }],
    components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } } },
    paths,
  };
}
