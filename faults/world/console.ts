import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';

export type Answer<B> = { readonly ok: true; readonly body: B } | { readonly ok: false; readonly fault: string; readonly code: number };

/** Calls as one person, as the console makes them: bounded in time, and an absent server is an answer too. */
export interface Console {
  call<C extends Call>(call: C, input?: InputOf<C> | object): Promise<Answer<OutputOf<C>>>;
  send<B>(call: Call, form: FormData): Promise<Answer<B>>;
  /** Answers until it gets one, as a person tries again. */
  insist<C extends Call>(call: C, input?: InputOf<C> | object): Promise<OutputOf<C>>;
  /** Answers that are wrong at any time, and those that came although nothing was the matter. */
  readonly wrong: string[];
  readonly counts: { answered: number; put: number };
  /** Requests that leave an audit row and were told that it is done. */
  readonly changed: string[];
  /** Nothing is broken now. */
  calm(is: boolean): void;
}

/** What may be said while something is broken. */
const inTrouble = new Set(['UNAVAILABLE', 'NO_SPACE', 'OVERTAKEN', 'TOO_MANY', 'NO_ANSWER']);
/** What may be said always: two people change one thing. */
const ordinary = new Set(['OVERTAKEN']);
const PATIENCE_S = 120;

export function openConsole(url: string, token: string): Console {
  let isCalm = true;
  const wrong: string[] = [];
  const counts = { answered: 0, put: 0 };
  const changed: string[] = [];
  const ask = async <B>(call: Call, init: RequestInit): Promise<Answer<B>> => {
    const wasCalm = isCalm;
    const failed = (fault: string, code: number, detail: string): Answer<B> => {
      counts.put += 1;
      if (!ordinary.has(fault) && !(inTrouble.has(fault) && !(wasCalm && isCalm)))
        wrong.push(`${call.path} answered ${code} ${fault}${wasCalm && isCalm ? ' although nothing was the matter' : ''}: ${detail}`);
      return { ok: false, fault, code };
    };
    try {
      const answer = await fetch(`${url}/ops${call.path}`, {
        method: call.method,
        signal: AbortSignal.timeout(call.timeout * 1000),
        ...init,
        headers: { authorization: token, 'accept-platform': 'centre', 'accept-deptid': '0', 'accept-language': 'en', ...init.headers },
      });
      const { code, body, message } = (await answer.json()) as { code: number; body: B & { fault?: string }; message: string };
      counts.answered += 1;
      if (code === 200 && call.audited) changed.push(answer.headers.get('x-request-id') ?? 'none');
      return code === 200 ? { ok: true, body } : failed(body?.fault ?? 'NO_FAULT', code, message);
    } catch (error) {
      return failed('NO_ANSWER', 0, String((error as Error).cause ?? error));
    }
  };
  const made: Console = {
    wrong,
    counts,
    changed,
    calm(is) {
      isCalm = is;
    },
    call: (call, input = {}) => ask(call, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) }),
    send: (call, form) => ask(call, { body: form }),
    async insist(call, input) {
      const until = performance.now() + PATIENCE_S * 1000;
      for (;;) {
        const answer = await made.call(call, input);
        if (answer.ok) return answer.body;
        if (performance.now() > until) throw new Error(`${call.path} answered ${answer.code} ${answer.fault} for ${PATIENCE_S} s`);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    },
  };
  return made;
}
