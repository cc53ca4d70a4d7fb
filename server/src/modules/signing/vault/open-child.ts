import { type ChildProcess, fork } from 'node:child_process';
import { Fault } from '@mooring/contract/kit/fault';
import type { Logger } from 'pino';
import type { Reply } from './protocol.ts';

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}
interface Options {
  readonly file: string;
  readonly name: string;
  readonly log: Logger;
  /** All that it has of the server's surroundings: settings with their secrets don't go along. */
  readonly env: NodeJS.ProcessEnv;
  /** Its first message. */
  readonly begin: () => object;
  readonly patience: number;
  /** It died, or didn't answer: whatever was asked of it may be asked again. */
  readonly lost: () => Fault;
}

/** One process: begun with the first thing that is asked of it, and again when it has died. */
export function openChild<A extends object>({ file, name, log, env, begin, patience, lost }: Options) {
  let child: ChildProcess | undefined;
  let next = 1;
  const waiting = new Map<number, Waiting>();

  const settle = (id: number, how: (of: Waiting) => void) => {
    const found = waiting.get(id);
    if (!found) return;
    clearTimeout(found.timer);
    waiting.delete(id);
    how(found);
  };
  const lose = (of: ChildProcess) => {
    if (child !== of) return;
    child = undefined;
    for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(lost()));
  };
  const hear = (reply: Reply) =>
    settle(reply.id, ({ resolve, reject }) => {
      if ('value' in reply) resolve(reply.value);
      else if ('fault' in reply)
        reject(
          new Fault(reply.fault, {
            params: reply.params,
            ...(reply.field ? { fields: { [reply.field]: `fault.${reply.fault}` } } : {}),
          }),
        );
      else reject(new Error(`${name} could not do it`));
    });

  const start = (): ChildProcess => {
    const started = fork(file, [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env,
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    started.on('message', (reply) => hear(reply as Reply));
    started.on('exit', (code, signal) => {
      if (child === started) log.warn({ code, signal }, `${name} ended`);
      lose(started);
    });
    started.on('error', () => lose(started));
    started.send({ begin: begin() });
    started.unref();
    started.channel?.unref();
    child = started;
    return started;
  };

  const ask = <N extends keyof A & string>(act: N, of: A[N] extends (of: infer I) => unknown ? I : never): Promise<never> =>
    new Promise((resolve, reject) => {
      const id = next++;
      const to = child ?? start();
      const timer = setTimeout(() => {
        settle(id, (one) => one.reject(lost()));
        // It would go on computing what nobody waits for, and all others would wait for that.
        to.kill('SIGKILL');
        lose(to);
      }, patience);
      waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, timer });
      to.send({ id, act, of }, (error) => error && settle(id, (one) => one.reject(lost())));
    });

  return {
    ask,
    pid: () => child?.pid,
    stop() {
      const ended = child;
      child = undefined;
      ended?.disconnect();
    },
  };
}
