import type { Call, InputOf, OutputOf, Platform } from '@mooring/contract/kit/call';
import { createStore } from '../ui/store.ts';
import { toast } from '../ui/toast.tsx';
import { speech, t } from '../ui/words.ts';
import { OPS } from './base.ts';
import { idleSeconds } from './idle.ts';
import { type CallError, callError, handlingOf, isCallError, reactionTo, readEnvelope } from './outcome.ts';
import { sealInput } from './seal.ts';
import { endSession, session, tokenOf } from './session.ts';

export interface ApiOptions {
  /** The caller shows the failure itself. 401 logs out all the same. */
  hidden?: boolean;
  signal?: AbortSignal;
  /** Speak as another platform than the tab's: crossing over, signing in. */
  platform?: Platform;
  /** Another organisation than the tab's: before the entry has chosen one. */
  deptId?: number;
  /** Another key than the person's session: where it is refused, nothing of theirs ends. */
  token?: string;
  form?: FormData;
  /** Sends in place of `fetch`, with a body of its own. */
  via?: (address: string, init: RequestInit) => Promise<Response>;
}

/** How the network has been: told by the calls themselves. */
export const network = createStore<{ readonly failures: number; readonly since: number | undefined }>({ failures: 0, since: undefined });
const reached = () => network.get().failures > 0 && network.set({ failures: 0, since: undefined });
const missed = () => network.set((now) => ({ failures: now.failures + 1, since: now.since ?? Date.now() }));

/** The headers of every call (specification, section 7). */
export function headersOf(options: ApiOptions = {}): Record<string, string> {
  const { platform } = session.get();
  const deptId = options.deptId ?? session.get().deptId;
  const token = options.token ?? tokenOf(options.platform ?? platform);
  return {
    ProductLineId: '2',
    'Accept-Language': speech.get().lang,
    'Time-Zone': speech.get().timeZone,
    'Accept-Platform': options.platform ?? platform,
    ...(deptId === undefined ? {} : { 'Accept-Deptid': String(deptId) }),
    'X-Idle': String(idleSeconds()),
    ...(token ? { Authorization: token } : {}),
  };
}

/** The address with its path parameters filled in, and the rest of a GET's input behind it. */
export function addressOf(call: Pick<Call, 'path' | 'method'>, input: unknown): string {
  const fields = { ...(input as Record<string, unknown> | undefined) };
  const path = call.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = fields[name];
    delete fields[name];
    return encodeURIComponent(String(value));
  });
  if (call.method !== 'GET') return OPS + path;
  const query = new URLSearchParams(
    Object.entries(fields).flatMap(([key, value]) => (value === undefined || value === null ? [] : [[key, String(value)]])),
  );
  return `${OPS}${path}${query.size > 0 ? `?${query}` : ''}`;
}

/** The answer as it came, before the envelope is read. Fails with a CallError where none came. */
export async function send(call: Call, input: unknown, options: ApiOptions = {}): Promise<Response> {
  const patience = AbortSignal.timeout(call.timeout * 1000);
  const json = call.method === 'POST' && !options.form && !options.via;
  try {
    const answer = await (options.via ?? fetch)(addressOf(call, input), {
      method: call.method,
      headers: { ...headersOf(options), ...(json ? { 'Content-Type': 'application/json' } : {}) },
      signal: options.signal ? AbortSignal.any([patience, options.signal]) : patience,
      ...(options.form ? { body: options.form } : json ? { body: JSON.stringify(input ?? {}) } : {}),
    });
    reached();
    return answer;
  } catch (error) {
    if (options.signal?.aborted) throw callError({ cancelled: true });
    if (isCallError(error)) throw error;
    missed();
    throw callError({ transport: true });
  }
}

async function read(answer: Response): Promise<unknown> {
  const requestId = answer.headers.get('x-request-id') ?? undefined;
  const text = await answer.text().catch(() => '');
  let envelope: unknown;
  try {
    envelope = JSON.parse(text);
  } catch {
    throw callError({ code: answer.status === 200 ? 500 : answer.status, transport: true, requestId });
  }
  const made = readEnvelope(envelope, requestId);
  if ('error' in made) throw made.error;
  return made.body;
}

/** The message of a failed call for a person: the server's, or the generic one. */
export const messageOf = (error: unknown): string =>
  isCallError(error) && error.message
    ? error.message
    : isCallError(error) && error.code === 401
      ? t('kit.error.noAccess')
      : t('kit.error.failed');

function react(call: Call, error: CallError, hidden: boolean): void {
  const { notice, logOut } = reactionTo(error, handlingOf(call), hidden);
  if (notice) {
    const message = notice.message || messageOf(error);
    toast(
      notice.kind,
      error.wait && !message.includes(String(error.wait)) ? `${message} ${t('kit.error.wait', { seconds: error.wait })}` : message,
    );
  }
  if (logOut) endSession();
}

/** Asks the person to prove who they are; false where they did not. Set once by the shell. */
let prove: () => Promise<boolean> = async () => false;
export const onProofAsked = (ask: typeof prove): void => {
  prove = ask;
};

const asksProof = (refused: unknown) => isCallError(refused) && refused.fault === 'STEP_UP_REQUIRED';
/** The answer of a call whose input has nothing sealed; where who they are is asked, once more when they have proved it. */
export async function sendProven(call: Call, input: unknown, options: ApiOptions = {}): Promise<Response> {
  const answer = await send(call, input, options);
  if (!call.stepUp || !(answer.headers.get('content-type') ?? '').includes('application/json')) return answer;
  const refused = await read(answer.clone()).then(
    () => undefined,
    (error: unknown) => error,
  );
  return asksProof(refused) && (await prove()) ? send(call, input, options) : answer;
}

/** Makes a call. Sealed fields are sealed, the envelope is opened, a failure is shown as the error catalogue says and thrown. */
export async function api<C extends Call>(call: C, input: InputOf<C>, options: ApiOptions = {}): Promise<OutputOf<C>> {
  const once = async () => {
    const sealed = await sealInput(call, input, (asked, given) => api(asked, given, options));
    return (await read(await send(call, sealed, options))) as OutputOf<C>;
  };
  try {
    return await once().catch(async (refused: unknown) => {
      if (!asksProof(refused) || !(await prove())) throw refused;
      return once();
    });
  } catch (thrown) {
    const error = isCallError(thrown) ? thrown : callError({ transport: true, message: '' });
    if (options.token === undefined) react(call, error, options.hidden ?? false);
    throw error;
  }
}
