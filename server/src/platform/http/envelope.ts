import { commonFaults, Fault } from '@mooring/contract/kit/fault';
import { say } from '../texts/say.ts';

/** Specification, section 8. */
export interface Envelope {
  readonly code: number;
  readonly body: unknown;
  readonly message: string;
}

export const done = (body: unknown): Envelope => ({ code: 200, body: body ?? null, message: '' });

/** Also sent as HTTP status, so that proxies and clients see them without reading on (design 2, "Answers"). */
const asStatus = new Set([413, 429, 503]);
export const statusOf = (envelope: Envelope): number => (asStatus.has(envelope.code) ? envelope.code : 200);

/** What a fault looks like to the person: its text in their language, its name and fields for the program. */
export function failed(fault: Fault, lang: string): Envelope {
  const fields = fault.fields
    ? { fields: Object.fromEntries(Object.entries(fault.fields).map(([path, key]) => [path, { key, message: say(lang, key) }])) }
    : {};
  const wait = typeof fault.params.seconds === 'number' ? { wait: fault.params.seconds } : {};
  return { code: fault.code, body: { fault: fault.fault, ...fields, ...wait }, message: say(lang, `fault.${fault.fault}`, fault.params) };
}

interface PgError {
  readonly code?: string;
  readonly constraint?: string;
}
const gone = new Set([
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
]);

/** Any thrown thing as a fault. Unknown ones become UNEXPECTED with the request id, and are logged by the caller. */
export function faultOf(error: unknown, requestId: string): Fault {
  if (error instanceof Fault) return error;
  const code = (error as PgError | undefined)?.code;
  if (code === '40001' || code === '40P01') return new Fault('OVERTAKEN', { code: commonFaults.OVERTAKEN });
  const message = error instanceof Error ? error.message : '';
  if ((code && gone.has(code)) || /Connection terminated|timeout exceeded when trying to connect/.test(message)) {
    return new Fault('UNAVAILABLE', { code: commonFaults.UNAVAILABLE, params: { seconds: 5 } });
  }
  return new Fault('UNEXPECTED', { code: commonFaults.UNEXPECTED, params: { requestId } });
}
