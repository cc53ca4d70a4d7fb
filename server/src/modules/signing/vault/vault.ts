import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { Fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Reply, VaultAct, VaultActs } from './protocol.ts';

const PURPOSE = 'signing-vault';
const PATIENCE_MS = 50_000;

/** The vault died, or didn't answer: whatever was asked of it may be asked again. */
export class VaultAway extends Fault {
  constructor() {
    super('KEY_VAULT_AWAY');
  }
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

export interface Vault extends VaultActs {
  /** Its process, where it runs. */
  readonly pid: () => number | undefined;
  stop(): void;
}

/** Begun with the first key that is asked for, and again when it has died. */
export function openVault(app: Pick<AppContext, 'masterKey' | 'log'>): Vault {
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
    for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(new VaultAway()));
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
      else reject(new Error('the vault could not do it'));
    });

  const begin = (): ChildProcess => {
    // Nothing of the server's surroundings, settings with their secrets among them, goes along.
    const started = fork(join(import.meta.dirname, 'vault.child.ts'), [], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {},
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    started.on('message', (reply) => hear(reply as Reply));
    started.on('exit', (code, signal) => {
      if (child === started) app.log.warn({ code, signal }, 'the signing vault ended');
      lose(started);
    });
    started.on('error', () => lose(started));
    started.send({ key: app.masterKey.derive(PURPOSE) });
    started.unref();
    started.channel?.unref();
    child = started;
    return started;
  };

  const ask = (act: VaultAct, of: unknown): Promise<never> =>
    new Promise((resolve, reject) => {
      const id = next++;
      const to = child ?? begin();
      const timer = setTimeout(() => settle(id, (one) => one.reject(new VaultAway())), PATIENCE_MS);
      waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, timer });
      to.send({ id, act, of }, (error) => error && settle(id, (one) => one.reject(new VaultAway())));
    });

  return {
    generate: (of) => ask('generate', of),
    info: (of) => ask('info', of),
    import: (of) => ask('import', of),
    export: (of) => ask('export', of),
    reveal: (of) => ask('reveal', of),
    sign: (of) => ask('sign', of),
    pid: () => child?.pid,
    stop() {
      const ended = child;
      child = undefined;
      ended?.disconnect();
    },
  };
}
