import { DirectInfo, fileCalls, PartInfo } from '@mooring/contract/file/calls';
import { allCalls } from '@mooring/contract/index';
import type { Call } from '@mooring/contract/kit/call';
import { commonFaults } from '@mooring/contract/kit/fault';
import { type Schemas, schemasOf } from '@mooring/contract/kit/json-schema';
import { hasMetadata } from '@mooring/contract/kit/schema';
import type { z } from 'zod';

const codes = Object.entries(commonFaults).map(([name, code]) => `${code} ${name}`);

const envelope = (code: object, body: object) => ({
  type: 'object',
  required: ['code', 'body', 'message'],
  properties: { code, body, message: { type: 'string', description: 'In the language of Accept-Language; empty where it is done.' } },
});
const doneAs = (body: object) => envelope({ type: 'integer', const: 200 }, body);

const refusal = envelope(
  { type: 'integer', enum: [...new Set(Object.values(commonFaults))].sort() },
  {
    type: 'object',
    properties: {
      fault: { type: 'string', description: `The stable name of what went wrong: one of the call's own faults, or ${codes.join(', ')}.` },
      wait: { type: 'integer', description: 'Seconds after which it may be tried again.' },
      fields: {
        type: 'object',
        description: 'What is wrong, by the path of the field.',
        additionalProperties: {
          type: 'object',
          properties: { key: { type: 'string' }, message: { type: 'string' } },
          required: ['key', 'message'],
        },
      },
    },
    required: ['fault'],
  },
);
const refused = { $ref: '#/components/schemas/Refusal' };

const header = (name: string, description: string, schema: object) => ({ name, in: 'header', required: false, description, schema });
const parameters = {
  platform: header(
    'Accept-Platform',
    'The platform that is meant. A call that names another one than its token or session has is refused (WRONG_PLATFORM).',
    {
      type: 'string',
      enum: ['centre', 'manager'],
    },
  ),
  dept: header(
    'Accept-Deptid',
    'On the centre 0: the own organisation and all below it. On the manager platform the id of one own or managed organisation.',
    { type: 'integer', minimum: 0 },
  ),
  language: header('Accept-Language', 'Language of messages, such as `en` or `zh-CN`.', { type: 'string' }),
  timeZone: header('Time-Zone', 'IANA name, for what is written in local time, such as exports; UTC where it is missing.', {
    type: 'string',
  }),
};
const forAll = Object.keys(parameters).map((name) => ({ $ref: `#/components/parameters/${name}` }));

function parametersOf(call: Call, schemas: Schemas): object[] {
  const inPath = [...call.path.matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? '');
  const shape = (call.input as unknown as { shape?: Record<string, z.ZodType> }).shape ?? {};
  const params: object[] = inPath.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: shape[name] ? schemas.json(shape[name], 'input') : { type: 'string' },
  }));
  if (call.method === 'GET') {
    for (const [name, schema] of Object.entries(shape)) {
      if (!inPath.includes(name))
        params.push({ name, in: 'query', required: !schema.safeParse(undefined).success, schema: schemas.json(schema, 'input') });
    }
  }
  return params;
}

/** An upload: what the bytes are as JSON in the part `req`, and behind it the bytes in the part `file`. */
function multipart(call: Call, schemas: Schemas): object {
  const info = schemas.json(call === fileCalls.uploadPart ? PartInfo : DirectInfo, 'input');
  return {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['req', 'file'],
        properties: { req: info, file: { type: 'string', format: 'binary', description: 'Sent after `req`.' } },
      },
      encoding: { req: { contentType: 'application/json' }, file: { contentType: 'application/octet-stream' } },
    },
  };
}

/** Below `/ops`, what a program calls it: `productPage`, `fileUploadUnified`. Unique, since the path is. */
const operationId = (call: Call) =>
  `${call.domain}${call.path.replace(/[^\w]+(\w)?/g, (_all, next: string | undefined) => (next ?? '').toUpperCase())}`;

function operation(call: Call, schemas: Schemas): object {
  const body = call.wire === 'multipart' ? multipart(call, schemas) : { 'application/json': { schema: schemas.json(call.input, 'input') } };
  const answer =
    call.wire === 'binary'
      ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
      : { 'application/json': { schema: { oneOf: [doneAs(schemas.json(call.output, 'output')), refused] } } };
  return {
    tags: [call.domain],
    operationId: operationId(call),
    summary: call.about ?? call.name,
    description: [
      `Permission: ${typeof call.can === 'string' ? call.can : call.can.join(' and ')}`,
      call.platform ? `Platform: ${call.platform}` : '',
      call.faults.length > 0 ? `Faults: ${call.faults.join(', ')}` : '',
      call.stepUp ? (call.tokens ? 'Asks a person again who they are' : 'Asks again who it is: not for tokens') : '',
      hasMetadata(call.input, 'sealed') ? 'Has sealed fields' : '',
    ]
      .filter(Boolean)
      .join('. '),
    parameters: [...parametersOf(call, schemas), ...forAll],
    ...(call.method === 'POST' ? { requestBody: { required: true, content: body } } : {}),
    ...(call.can === 'public' ? { security: [] } : {}),
    responses: {
      200: { description: 'Done, or a refusal: `code` says which', content: answer },
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/Refused' },
    },
  };
}

/** The OpenAPI document of every declared call. Generated to docs/api/openapi.json and served at /docs/api. */
export function openApi(calls: readonly Call[] = allCalls): object {
  const schemas = schemasOf();
  const paths: Record<string, object> = {};
  for (const call of [...calls].sort((a, b) => (a.path < b.path ? -1 : 1)))
    paths[`/ops${call.path}`] = { ...paths[`/ops${call.path}`], [call.method.toLowerCase()]: operation(call, schemas) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mooring',
      version: '2.2.0',
      description:
        'Calls of the Mooring console and of other systems (docs/api.md). Every answer is an envelope of code, body and message. Only 413, 429 and 503 are HTTP statuses too.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: '{address}',
        description: 'An installation, with the path prefix of a proxy where there is one',
        variables: { address: { default: 'http://127.0.0.1:8080', description: 'PUBLIC_URL' } },
      },
    ],
    security: [{ token: [] }],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of a session or of another system; `Bearer ` may be left out.' },
      },
      parameters,
      responses: { Refused: { description: 'Refused', content: { 'application/json': { schema: refused } } } },
      schemas: { Refusal: refusal, ...schemas.shared },
    },
    paths,
  };
}
