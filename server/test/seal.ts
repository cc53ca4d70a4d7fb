import { constants, createPublicKey, publicEncrypt } from 'node:crypto';
import { loginCalls } from '@mooring/contract/auth/calls';
import type { Client } from './test-app.ts';

/** A secret as a browser seals it. */
export async function sealFor(client: Client, purpose: string, secret: string) {
  const { pubKey, keyId, nonce } = await client.call(loginCalls.random);
  const key = createPublicKey({ key: Buffer.from(pubKey, 'base64'), format: 'der', type: 'spki' });
  const data = publicEncrypt(
    { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256', oaepLabel: Buffer.from(`${purpose}:${nonce}`) },
    Buffer.from(secret),
  );
  return { keyId, nonce, data: data.toString('base64') };
}
