import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '@mooring/contract/kit/fault';
import type { TokenReason } from '@mooring/contract/signing/limits';
import type { AppContext } from '../../../platform/app-context.ts';
import { openChild } from './open-child.ts';
import type { TokenActs, TokenSettings } from './protocol.ts';

const PURPOSE = 'signing-token';
/** Who looks at a page doesn't wait for a token that makes a key just now. */
const GLANCE_MS = 4000;
/** Sooner than this nothing was asked for too long. */
const DIED_MS = 10_000;
/** The mark of the PIN that the token refused last: of a server that starts again and again each start would be one more try. */
const REFUSED = 'token-pin-refused';

export type TokenState =
  | { readonly state: 'unset' | 'there'; readonly label: string; readonly reason: null }
  | { readonly state: 'away'; readonly label: string; readonly reason: TokenReason };

export const isTokenAway = (error: unknown): error is Fault => error instanceof Fault && error.fault === 'KEY_TOKEN_AWAY';
const awayReason = (error: Fault): TokenReason => error.params.reason as TokenReason;
const away = (reason: TokenReason) => new Fault('KEY_TOKEN_AWAY', { params: { reason } });

type Plain<N extends keyof TokenActs> = Omit<Parameters<TokenActs[N]>[0], 'refused'>;
export interface Token {
  readonly isSet: boolean;
  /** Faults: those of TokenActs, KEY_TOKEN_AWAY where none is set. */
  ask<N extends keyof TokenActs>(act: N, of: Plain<N>): Promise<Awaited<ReturnType<TokenActs[N]>>>;
  state(): Promise<TokenState>;
  stop(): void;
}

function settingsOf({ PKCS11_MODULE: module, PKCS11_TOKEN: label, PKCS11_PIN_FILE: pinFile }: AppContext['config']) {
  return module && label && pinFile ? { module, label, pinFile } : undefined;
}

/** The hardware token of this server, by a process of its own. */
export function openToken(app: Pick<AppContext, 'masterKey' | 'log' | 'config'>, patience: number): Token {
  const settings = settingsOf(app.config);
  if (!settings)
    return {
      isSet: false,
      ask: () => Promise.reject(away('unset')),
      state: async () => ({ state: 'unset', label: '', reason: null }),
      stop: () => {},
    };
  return tokenOf(app, settings, patience);
}

function tokenOf({ masterKey, log, config }: Pick<AppContext, 'masterKey' | 'log' | 'config'>, settings: TokenSettings, patience: number) {
  const { label } = settings;
  const child = openChild<TokenActs>({
    file: join(import.meta.dirname, 'token.child.ts'),
    name: 'the process of the token',
    log,
    env: { ...config.PKCS11_ENV },
    begin: () => ({ key: masterKey.derive(PURPOSE), settings }),
    patience,
    lost: () => away('process'),
  });
  const marks = join(config.DATA_DIR, REFUSED);
  const refused = () => {
    try {
      return readFileSync(marks, 'utf8');
    } catch {
      return undefined;
    }
  };
  let known: TokenState | undefined;
  const found = (now: TokenState, code?: unknown): void => {
    if (now.state === 'away' && known?.reason !== now.reason) log.warn({ token: label, reason: now.reason, code }, 'the token is away');
    if (now.state === 'there' && known?.state !== 'there') log.info({ token: label }, 'the token answers');
    known = now;
  };
  /** A process that has just died begins again; making a key twice would leave one behind. */
  const askAgain = async <N extends keyof TokenActs>(act: N, of: Plain<N>): Promise<never> => {
    const send = () => child.ask(act, { ...of, refused: refused() } as never);
    const began = performance.now();
    try {
      return await send();
    } catch (error) {
      const hasDied = isTokenAway(error) && awayReason(error) === 'process' && performance.now() - began < DIED_MS;
      if (act === 'generate' || !hasDied) throw error;
      return send();
    }
  };
  const ask: Token['ask'] = async (act, of) => {
    try {
      const answer = await askAgain(act, of);
      found({ state: 'there', label, reason: null });
      return answer;
    } catch (error) {
      if (!isTokenAway(error)) throw error;
      const { reason, code, pin } = error.params;
      if (typeof pin === 'string') writeFileSync(marks, pin, { mode: 0o600 });
      found({ state: 'away', label, reason: reason as TokenReason }, code);
      throw away(reason as TokenReason);
    }
  };
  return {
    isSet: true,
    ask,
    async state(): Promise<TokenState> {
      const asked = ask('status', {}).then(
        () => ({ state: 'there', label, reason: null }) as const,
        (error: unknown) => ({ state: 'away', label, reason: isTokenAway(error) ? awayReason(error) : 'device' }) as const,
      );
      let timer: NodeJS.Timeout | undefined;
      const glance = new Promise<TokenState>((resolve) => {
        timer = setTimeout(() => resolve(known ?? { state: 'away', label, reason: 'process' }), GLANCE_MS);
      });
      return Promise.race([asked, glance]).finally(() => clearTimeout(timer));
    },
    stop: child.stop,
  };
}
