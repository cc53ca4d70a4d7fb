import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { userCalls } from '@mooring/contract/account/calls';
import { loginCalls } from '@mooring/contract/auth/calls';
import type { Call, InputOf, OutputOf } from '@mooring/contract/kit/call';

export interface Api {
  call<C extends Call>(call: C, input?: unknown): Promise<OutputOf<C>>;
}

/** Calls over HTTP as one person. */
export function api(url: string, token: string, platform: 'centre' | 'manager', deptId = 0): Api {
  return {
    async call(call, input = {}) {
      const answer = await fetch(`${url}/ops${call.path}`, {
        method: call.method,
        headers: {
          'content-type': 'application/json',
          // A kept one may be closed by the server at the very moment that it is used again.
          connection: 'close',
          authorization: token,
          'accept-platform': platform,
          ...(deptId > 0 ? { 'accept-deptid': String(deptId) } : {}),
          'accept-language': 'en',
        },
        body: JSON.stringify(input),
      });
      const { code, body, message } = (await answer.json()) as { code: number; body: never; message: string };
      if (code !== 200) throw new Error(`${call.path}: ${code} ${message} ${JSON.stringify(body)}`);
      return body;
    },
  };
}

/** As a browser seals what nobody else is to read. */
export async function seal(url: string, purpose: string, secret: string): Promise<unknown> {
  const { pubKey, keyId, nonce } = await api(url, '', 'centre').call(loginCalls.random);
  const key = createPublicKey({ key: Buffer.from(pubKey, 'base64'), format: 'der', type: 'spki' });
  const data = publicEncrypt(
    { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', oaepLabel: Buffer.from(`${purpose}:${nonce}`) },
    Buffer.from(secret),
  );
  return { keyId, nonce, data: data.toString('base64') };
}

export async function signIn(url: string, account: string, password: string, platform: 'centre' | 'manager' = 'centre'): Promise<string> {
  const input = { account, platform, password: await seal(url, 'login', password) } as unknown as InputOf<typeof loginCalls.account>;
  return (await api(url, '', platform).call(loginCalls.account, input)).token;
}

/** Of every journey's first administrator. */
export const ADMIN = 'Harbour.Light7';

/** Somebody past the forced change of the one-time password; from then on it is `ADMIN`. */
export async function settleIn(url: string, account: string, oneTime: string, platform: 'centre' | 'manager' = 'centre'): Promise<void> {
  const first = api(url, await signIn(url, account, oneTime, platform), platform);
  await first.call(userCalls.password, {
    password: await seal(url, 'password', oneTime),
    newPassword: await seal(url, 'newPassword', ADMIN),
  });
}

/** The first administrator, with `ADMIN` as password from then on, if it wasn't before. */
export async function administrator(url: string, oneTime: string, platform: 'centre' | 'manager' = 'centre'): Promise<Api> {
  if (oneTime !== ADMIN) await settleIn(url, 'admin', oneTime);
  return api(url, await signIn(url, 'admin', ADMIN, platform), platform, platform === 'centre' ? 0 : 1);
}
