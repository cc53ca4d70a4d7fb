import { browserSupportsWebAuthn, startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { t } from '../../ui/words.ts';
import { callError } from '../outcome.ts';

/** Passkeys belong to a name, so there are none at a bare address, and none without a safe connection. */
export const mayUsePasskeys = (): boolean => browserSupportsWebAuthn() && !/^[\d.]+$|:/.test(location.hostname);

/** What the person or the browser broke off says so; nothing was sent. */
function refused(error: unknown): never {
  const known = error instanceof WebAuthnError ? error.code : undefined;
  if (known === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') throw callError({ code: 400, message: t('auth.passkey.there') });
  throw callError({ code: 400, message: t('auth.passkey.broken') });
}

/** The browser's answer to the server's question, as the server takes it. */
export const answerPasskey = async (options: string): Promise<string> =>
  JSON.stringify(await startAuthentication({ optionsJSON: JSON.parse(options) }).catch(refused));
export const makePasskey = async (options: string): Promise<string> =>
  JSON.stringify(await startRegistration({ optionsJSON: JSON.parse(options) }).catch(refused));
