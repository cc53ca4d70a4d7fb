import { constants, createCipheriv, createECDH, createPublicKey, hkdfSync, publicEncrypt } from 'node:crypto';
import { loginCalls } from '@mooring/contract/auth/calls';
import { vaultSealCalls } from '@mooring/contract/signing/vault-seal';
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

/** A key file and its passwords as a browser seals them for the vault. */
export async function sealForVault<V extends { readonly file: string }>(client: Client, input: V): Promise<V> {
  const { publicKey } = await client.call(vaultSealCalls.sealKey, {});
  const seal = (purpose: string, text: string) => {
    const own = createECDH('prime256v1');
    const point = own.generateKeys();
    const key = Buffer.from(hkdfSync('sha256', own.computeSecret(Buffer.from(publicKey, 'base64')), point, purpose, 32));
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(12));
    return Buffer.concat([point, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
  };
  const purposes = { file: 'keyFile', password: 'keyPassword', keyPassword: 'keyPassword' } as const;
  const parts = Object.entries(purposes).flatMap(([name, purpose]) => {
    const text = (input as Readonly<Record<string, unknown>>)[name];
    return typeof text === 'string' ? [[name, seal(purpose, text)]] : [];
  });
  return { ...input, ...Object.fromEntries(parts) };
}
