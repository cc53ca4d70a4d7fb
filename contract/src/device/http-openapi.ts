import type { z } from 'zod';
import { schemasOf } from '../kit/json-schema.ts';
import { Access, EnrolBody, Enrolled, Nonce, NonceBody, ProofBody, Refused, RenewBody, Waiting } from './http-messages.ts';
import { PROTOCOL_VERSION } from './limits.ts';

const schemas = schemasOf();
const json = (schema: z.ZodType, io: 'input' | 'output') => ({ 'application/json': { schema: schemas.json(schema, io) } });
const answer = (description: string, schema: z.ZodType) => ({ description, content: json(schema, 'output') });
const text = (description: string, type: string) => ({ description, content: { [type]: { schema: { type: 'string' } } } });
const bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
});
const waits = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } };
const tooMany = { description: 'Too many requests from this address', headers: waits };
const refusals = {
  400: answer('Not understood', Refused),
  403: answer('Refused; `error` says why', Refused),
  429: { ...answer('Too many requests or failures from this address', Refused), headers: waits },
};
const post = (operationId: string, summary: string, body: z.ZodType, answers: object) => ({
  post: { operationId, summary, requestBody: { required: true, content: json(body, 'input') }, responses: { ...answers, ...refusals } },
});
const enrolled = { 200: answer('It is in', Enrolled) };
const token = { name: 'token', in: 'path', required: true, schema: { type: 'string' }, description: 'From the `url` of an offer' };
const fileAnswers = {
  200: bytes('The whole; ETag is the SHA-256 in quotes'),
  206: bytes('The part that Range asked for'),
  302: { description: 'The bytes lie elsewhere; follow with the same method' },
  304: { description: 'Unchanged' },
  403: text('A wrong link, or its terminal is shut out', 'text/plain'),
  404: text('No such file', 'text/plain'),
  410: text('The link has ended', 'text/plain'),
  416: text('No such range', 'text/plain'),
  429: tooMany,
  503: { description: 'Too many transfers', headers: waits },
};

/** OpenAPI of what a terminal asks over HTTP, from the schemas that the server and the agent check with. */
export const deviceHttpOpenApi = (): object => ({
  openapi: '3.1.0',
  info: {
    title: 'Mooring device protocol, HTTP',
    version: String(PROTOCOL_VERSION),
    description: 'Enrolment, credentials and bytes. Messages are in asyncapi.json; see docs/device-protocol.md.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '{address}', variables: { address: { default: 'http://127.0.0.1:8080', description: 'PUBLIC_URL' } } }],
  // A terminal proves who it is in what it sends: code, signature, or a token in the path.
  security: [],
  components: { schemas: schemas.shared },
  paths: {
    '/d/enrol': post('enrol', 'A certificate for the terminal’s own key', EnrolBody, {
      ...enrolled,
      202: { ...answer('A person decides; ask again with the same key', Waiting), headers: waits },
    }),
    '/d/nonce': post('nonce', 'What a factory key signs', NonceBody, { 200: answer('Holds five minutes, for this SN, once', Nonce) }),
    '/d/renew': post('renew', 'A further certificate, asked for with the key of the present one', RenewBody, enrolled),
    '/d/token': post('token', 'A password for a plain connection', ProofBody, { 200: answer('A day', Access) }),
    '/d/ca.pem': {
      get: {
        operationId: 'authority',
        summary: 'What terminals and brokers trust',
        responses: { 200: text('PEM', 'application/x-pem-file'), 429: tooMany },
      },
    },
    '/d/crl.pem': {
      get: {
        operationId: 'revocations',
        summary: 'Revoked certificates, for brokers',
        responses: { 200: text('PEM', 'application/x-pem-file'), 429: tooMany },
      },
    },
    '/d/files/{token}': {
      parameters: [token],
      get: { operationId: 'fileBytes', summary: 'Bytes of one file for one terminal; Range and If-Range', responses: fileAnswers },
      head: { operationId: 'fileLength', summary: 'Its length and digest', responses: fileAnswers },
    },
  },
});
