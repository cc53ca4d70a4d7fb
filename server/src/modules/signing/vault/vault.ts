import { join } from 'node:path';
import { Fault } from '@mooring/contract/kit/fault';
import type { AppContext } from '../../../platform/app-context.ts';
import { openChild } from './open-child.ts';
import type { Held, Made, SoftwareActs } from './protocol.ts';
import { openToken, type Token } from './token.ts';

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

/** In a token: under the name that was reserved for it. */
type Generating = Parameters<SoftwareActs['generate']>[0] & { readonly name: string; readonly reserved?: Buffer | undefined };
export interface Vault extends Omit<SoftwareActs, 'generate'> {
  /** What a key will be called in the token. */
  reserve(): Promise<{ readonly sealed: Buffer }>;
  /** Made where the store keeps its keys, and nowhere else: in the token, where a name was reserved there. */
  generate(of: Generating): Promise<Made>;
  /** In the token: one in software is gone with its row. */
  destroy(of: Held): Promise<void>;
  /** Of what is left over there: whether it is gone; else it is of another token. */
  clear(of: Held): Promise<boolean>;
  readonly token: Pick<Token, 'state' | 'isSet'>;
  /** Its process, where it runs. */
  readonly pid: () => number | undefined;
  stop(): void;
}

/** Key files, which anybody may have written, are read beside what signs: those who sign don't wait for them. */
export function openVault(app: Pick<AppContext, 'masterKey' | 'log' | 'config'>): Vault {
  const child = (patience: number) =>
    openChild<SoftwareActs>({
      file: join(import.meta.dirname, 'vault.child.ts'),
      name: 'the signing vault',
      log: app.log,
      env: {},
      begin: () => ({ key: app.masterKey.derive(PURPOSE) }),
      patience,
      lost: () => new VaultAway(),
    });
  const [keys, files] = [child(PATIENCE_MS), child(FILE_PATIENCE_MS)];
  const token = openToken(app, PATIENCE_MS);
  let sealKey: Promise<Buffer> | undefined;
  return {
    reserve: () => token.ask('reserve', {}),
    generate: ({ name, reserved, ...of }) =>
      reserved ? token.ask('generate', { algorithm: of.algorithm, name, reserved }) : keys.ask('generate', of),
    // The same for as long as the vault's key is. Whoever reads files keeps nobody waiting for it.
    sealKey: (of) => {
      sealKey ??= keys.ask('sealKey', of).catch((error: unknown) => {
        sealKey = undefined;
        throw error;
      });
      return sealKey;
    },
    info: (of) => files.ask('info', of),
    import: (of) => files.ask('import', of),
    export: async (of) => {
      if (of.kind === 'token') throw new Fault('KEY_NOT_EXPORTABLE');
      return keys.ask('export', of);
    },
    reveal: (of) => keys.ask('reveal', of),
    sign: (of) => (of.kind === 'token' ? token.ask('sign', of) : keys.ask('sign', of)),
    destroy: async (of) => {
      if (of.kind === 'token' && !(await token.ask('destroy', { ...of, isLeft: false })))
        throw new Fault('KEY_TOKEN_AWAY', { params: { reason: 'other' } });
    },
    clear: async (of) => of.kind !== 'token' || token.ask('destroy', { ...of, isLeft: true }),
    token,
    pid: keys.pid,
    stop() {
      keys.stop();
      files.stop();
      token.stop();
    },
  };
}
