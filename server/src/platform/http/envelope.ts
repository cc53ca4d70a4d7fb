import { commonFaults, Fault } from '@mooring/contract/kit/fault';
import { isAway, isOvertaken } from '../db/away.ts';
import { t } from '../texts/translate.ts';

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
  const said = Object.entries(fault.fields ?? {}).map(([path, words]) => {
    const { key, params } = typeof words === 'string' ? { key: words, params: fault.params } : words;
    return [path, { key, message: t(lang, key, params) }] as const;
  });
  const fields = fault.fields ? { fields: Object.fromEntries(said) } : {};
  const wait = typeof fault.params.seconds === 'number' ? { wait: fault.params.seconds } : {};
  return { code: fault.code, body: { fault: fault.fault, ...fields, ...wait }, message: t(lang, `fault.${fault.fault}`, fault.params) };
}

const isBadValue = (error: unknown): boolean => /^22[0-9A-Z]{3}$/.test((error as { code?: string } | undefined)?.code ?? '');

/** Any thrown thing as a fault. Unknown ones become UNEXPECTED with the request id, and are logged by the caller. */
export function faultOf(error: unknown, requestId: string): Fault {
  if (error instanceof Fault) return error;
  if (isOvertaken(error)) return new Fault('OVERTAKEN', { code: commonFaults.OVERTAKEN });
  // Of class 22: a value that a column can't hold (a year 0, a forged cursor, a number out of range) is the caller's.
  if (isBadValue(error)) return new Fault('BAD_INPUT', { code: commonFaults.BAD_INPUT });
  if (isAway(error)) return new Fault('UNAVAILABLE', { code: commonFaults.UNAVAILABLE, params: { seconds: 5 } });
  return new Fault('UNEXPECTED', { code: commonFaults.UNEXPECTED, params: { requestId } });
}
