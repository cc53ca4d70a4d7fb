import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Fault } from '@mooring/contract/kit/fault';
import type { TokenReason } from '@mooring/contract/signing/limits';
import { CKF, CKR, loadPkcs11, type Pkcs11, Pkcs11Error } from './pkcs11.ts';
import type { TokenSettings } from './protocol.ts';

/** `pin`: the mark of a PIN that the token refused, for who starts this process: it isn't tried again. */
export const tokenAway = (reason: TokenReason, more: { readonly code?: string; readonly pin?: string } = {}) =>
  new Fault('KEY_TOKEN_AWAY', { params: { reason, ...more } });

/** What an open session doesn't find: one that is opened anew says whether it is gone, or the whole token is. */
export const notFound = () => new Pkcs11Error(0x60);

/** The session, the device or the library is gone, or says so: all of it is opened anew, once. Of slots, devices, objects, sessions, tokens, logins. */
const broken: ReadonlySet<number> = new Set([0x3, 0x5, 0x6, 0x30, 0x32, 0x60, 0x82, 0xb0, 0xb1, 0xb3, 0xe0, 0xe1, 0x101, 0x190]);

export interface Session {
  readonly p11: Pkcs11;
  readonly id: number;
  readonly slot: number;
  readonly serial: string;
}

export interface TokenSession {
  /** Runs with a session in which the user is logged in. Faults: KEY_TOKEN_AWAY, KEY_TOKEN_REFUSED. */
  within<T>(refused: string | undefined, work: (session: Session, isFresh: boolean) => T): Promise<T>;
}

export function tokenSession({ module, label, pinFile }: TokenSettings, key: Buffer): TokenSession {
  let p11: Pkcs11 | undefined;
  let open: Session | undefined;

  const library = async (): Promise<Pkcs11> => {
    if (p11) return p11;
    // An optional package: where there is none for this machine, all else works.
    const koffi = await import('koffi').catch(() => {
      throw tokenAway('library');
    });
    try {
      p11 = loadPkcs11(koffi.default as never, module);
    } catch {
      throw tokenAway('module');
    }
    return p11;
  };

  const login = (of: Pkcs11, session: number, flags: number, refused: string | undefined): void => {
    if (flags & CKF.PIN_LOCKED) throw tokenAway('locked');
    // Whoever has a better PIN than the last one uses it by the token's own program first: one more wrong one would lock the keys away.
    if (flags & CKF.PIN_FINAL_TRY) throw tokenAway('lastTry');
    let pin: Buffer;
    try {
      pin = Buffer.from(readFileSync(pinFile, 'utf8').replace(/\r?\n$/, ''));
    } catch {
      throw tokenAway('pinFile');
    }
    const mark = createHmac('sha256', key).update(pin).digest('hex');
    if (mark === refused) throw tokenAway('pin');
    try {
      of.login(session, pin);
    } catch (error) {
      const code = error instanceof Pkcs11Error ? error.code : 0;
      if (code === CKR.USER_ALREADY_LOGGED_IN) return;
      if (code === CKR.PIN_LOCKED) throw tokenAway('locked');
      if (code === CKR.PIN_INCORRECT || code === CKR.PIN_LEN_RANGE) throw tokenAway('pin', { pin: mark });
      throw error;
    } finally {
      pin.fill(0);
    }
  };

  const close = (): void => {
    open = undefined;
    p11?.finalize();
  };
  const begin = async (refused: string | undefined): Promise<Session> => {
    const of = await library();
    of.initialize();
    const slot = of.slots().find((one) => of.token(one).label === label);
    if (slot === undefined) throw tokenAway('token');
    const { serial, flags } = of.token(slot);
    const id = of.open(slot);
    login(of, id, flags, refused);
    open = { p11: of, id, slot, serial };
    return open;
  };

  return {
    async within(refused, work) {
      for (let again = true; ; again = false) {
        try {
          return open ? work(open, false) : work(await begin(refused), true);
        } catch (error) {
          if (error instanceof Fault) {
            // A token that came or went since the library began isn't seen by all of them.
            if (error.fault === 'KEY_TOKEN_AWAY') close();
            throw error;
          }
          if (!(error instanceof Pkcs11Error)) throw error;
          const code = error.message;
          if (!broken.has(error.code)) throw new Fault('KEY_TOKEN_REFUSED', { params: { code } });
          close();
          if (!again) throw tokenAway('device', { code });
        }
      }
    },
  };
}
