import { z } from 'zod';
import { Access, EnrolBody, Enrolled, Nonce, NonceBody, ProofBody, Refused, RenewBody, Waiting } from './doors.ts';
import { PROTOCOL_VERSION } from './limits.ts';

const json = (schema: z.ZodType, io: 'input' | 'output') => {
  const { $schema: _same, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'openapi-3.0' }) as Record<
    string,
    unknown
  >;
  return { 'application/json': { schema: rest } };
};
const answer = (description: string, schema: z.ZodType) => ({ description, content: json(schema, 'output') });
const text = (description: string, type: string) => ({ description, content: { [type]: { schema: { type: 'string' } } } });
const bytes = (description: string) => ({
  description,
  content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
});
const waits = { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } } };
const refusals = {
  400: answer('Not understood', Refused),
  403: answer('Refused; `error` says why', Refused),
  429: { ...answer('Too many requests or failures from this address', Refused), headers: waits },
};
const post = (summary: string, body: z.ZodType, answers: object) => ({
  post: { summary, requestBody: { required: true, content: json(body, 'input') }, responses: { ...answers, ...refusals } },
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
  429: { description: 'Too many requests from this address', headers: waits },
  503: { description: 'Too many transfers', headers: waits },
};

/** OpenAPI of what a terminal asks over HTTP, from the schemas that the server and the agent check with. */
export const doorsOpenApi = (): object => ({
  openapi: '3.0.3',
  info: {
    title: 'Mooring device protocol, HTTP',
    version: String(PROTOCOL_VERSION),
    description: 'Enrolment, credentials and bytes. Messages are in asyncapi.json; see docs/device-protocol.md.',
    license: { name: 'Apache-2.0' },
  },
  paths: {
    '/d/enrol': post('A certificate for the terminal’s own key', EnrolBody, {
      ...enrolled,
      202: { ...answer('A person decides; ask again with the same key', Waiting), headers: waits },
    }),
    '/d/nonce': post('What a factory key signs', NonceBody, { 200: answer('Holds five minutes, for this SN, once', Nonce) }),
    '/d/renew': post('A further certificate, asked for with the key of the present one', RenewBody, enrolled),
    '/d/token': post('A password for a plain connection', ProofBody, { 200: answer('A day', Access) }),
    '/d/ca.pem': { get: { summary: 'What terminals and brokers trust', responses: { 200: text('PEM', 'application/x-pem-file') } } },
    '/d/crl.pem': { get: { summary: 'Revoked certificates, for brokers', responses: { 200: text('PEM', 'application/x-pem-file') } } },
    '/d/files/{token}': {
      parameters: [token],
      get: { summary: 'Bytes of one file for one terminal; Range and If-Range', responses: fileAnswers },
      head: { summary: 'Its length and digest', responses: fileAnswers },
    },
  },
});
