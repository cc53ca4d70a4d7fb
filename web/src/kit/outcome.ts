import type { Call } from '@mooring/contract/kit/call';

export interface FieldFault {
  readonly key: string;
  readonly message: string;
}

/** Everything that a failed call tells. A plain object with a brand: it is thrown, and no class is needed for that. */
export interface CallError extends Error {
  readonly isCallError: true;
  readonly code: number;
  readonly fault: string | undefined;
  readonly fields: Readonly<Record<string, FieldFault>>;
  readonly requestId: string | undefined;
  /** Seconds that the server asks for. */
  readonly wait: number | undefined;
  readonly cancelled: boolean;
  /** No answer came: the network, a time-out, or something between. */
  readonly transport: boolean;
}

type Telling = Partial<Omit<CallError, 'isCallError' | keyof Error>> & { message?: string };

export function callError({ message = '', ...more }: Telling): CallError {
  return Object.assign(new Error(message), {
    name: 'CallError',
    isCallError: true as const,
    code: 500,
    fault: undefined,
    fields: {},
    requestId: undefined,
    wait: undefined,
    cancelled: false,
    transport: false,
    ...more,
  });
}
export const isCallError = (error: unknown): error is CallError => (error as CallError | undefined)?.isCallError === true;

/** `full` follows the error catalogue; `raw` calls show nothing themselves; `quiet` ones answer code 500 and are ignored. */
export type Handling = 'full' | 'raw' | 'quiet';

/** Transfers say at their own row what went wrong. All else about files answers like any call. */
const transfers = new Set([
  '/file/initMultipartUpload',
  '/file/getChunkIndex',
  '/file/uploadPart',
  '/file/transferUpload',
  '/file/transferCheck',
  '/file/cancelUpload',
]);

const quietPaths = new Set([
  '/unLogin/getSupportConfig',
  '/home/getProjectConfig',
  '/sys/menus/counts',
  '/form/config/findOne/{code}',
  '/form/individuation/config/save',
]);

/** Specification section 8: login and file transfer bypass the handling; counts and config calls fail silently. */
export function handlingOf(call: Pick<Call, 'path' | 'wire'>): Handling {
  if (call.path.startsWith('/sys/login/') || call.path.startsWith('/sys/captcha') || call.wire !== 'json' || transfers.has(call.path))
    return 'raw';
  return quietPaths.has(call.path) ? 'quiet' : 'full';
}

export interface Notice {
  readonly kind: 'warning' | 'error';
  /** Empty: the generic text. */
  readonly message: string;
}
export interface Reaction {
  readonly notice: Notice | undefined;
  readonly logOut: boolean;
}

/** What is shown for a failed call, and whether the person is logged out (specification, section 8). */
export function reactionTo(error: CallError, handling: Handling, hidden: boolean): Reaction {
  if (error.cancelled) return { notice: undefined, logOut: false };
  if (handling === 'raw') return { notice: undefined, logOut: false };
  if (error.code === 401) return { notice: { kind: 'warning', message: error.message }, logOut: true };
  if (hidden || handling === 'quiet') return { notice: undefined, logOut: false };
  return { notice: { kind: error.code === 400 ? 'warning' : 'error', message: error.message }, logOut: false };
}

interface Envelope {
  readonly code?: unknown;
  readonly body?: unknown;
  readonly message?: unknown;
}

/** Code 0 or 200 is success; without a code it is 200. Codes may come as text. */
export function readEnvelope(answer: unknown, requestId?: string): { body: unknown } | { error: CallError } {
  const envelope = (answer !== null && typeof answer === 'object' ? answer : {}) as Envelope;
  const code = Number(envelope.code ?? 200);
  if (code === 0 || code === 200) return { body: envelope.body ?? null };
  const body = (envelope.body !== null && typeof envelope.body === 'object' ? envelope.body : {}) as {
    fault?: string;
    fields?: Record<string, FieldFault>;
    wait?: number;
  };
  return {
    error: callError({
      code,
      message: typeof envelope.message === 'string' ? envelope.message : '',
      fault: body.fault,
      fields: body.fields ?? {},
      wait: body.wait,
      requestId,
    }),
  };
}
