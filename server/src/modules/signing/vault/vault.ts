import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { Fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../../platform/app-context.ts';
import type { Reply, VaultAct, VaultActs } from './protocol.ts';

const PURPOSE = 'signing-vault';
const PATIENCE_MS = 50_000;
/** A key file that takes longer than any honest one. */
const FILE_PATIENCE_MS = 20_000;

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

/** One process: begun with the first thing that is asked of it, and again when it has died. */
function openChild(app: Pick<AppContext, 'masterKey' | 'log'>, patience: number) {
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
      const timer = setTimeout(() => {
        settle(id, (one) => one.reject(new VaultAway()));
        // It would go on computing what nobody waits for, and all others would wait for that.
        to.kill('SIGKILL');
        lose(to);
      }, patience);
      waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, timer });
      to.send({ id, act, of }, (error) => error && settle(id, (one) => one.reject(new VaultAway())));
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

/** Key files, which anybody may have written, are read beside what signs: those who sign don't wait for them. */
export function openVault(app: Pick<AppContext, 'masterKey' | 'log'>): Vault {
  const [keys, files] = [openChild(app, PATIENCE_MS), openChild(app, FILE_PATIENCE_MS)];
  return {
    generate: (of) => keys.ask('generate', of),
    info: (of) => files.ask('info', of),
    import: (of) => files.ask('import', of),
    export: (of) => keys.ask('export', of),
    reveal: (of) => keys.ask('reveal', of),
    sign: (of) => keys.ask('sign', of),
    pid: keys.pid,
    stop() {
      keys.stop();
      files.stop();
    },
  };
}
