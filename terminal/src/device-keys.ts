import 'reflect-metadata';
import { createECDH, createHash, createPrivateKey, generateKeyPairSync, type KeyObject, sign, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as never);
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export interface DeviceKeys {
  readonly privatePem: string;
  /** A signing request for this SN, PEM. */
  request(sn: string): Promise<string>;
  /** ECDSA over SHA-256, DER, in base64. */
  sign(text: string): string;
}

function keysOf(key: KeyObject): DeviceKeys {
  const privatePem = key.export({ type: 'pkcs8', format: 'pem' }) as string;
  return {
    privatePem,
    async request(sn) {
      const { d: _private, ...jwk } = key.export({ format: 'jwk' });
      const keys = {
        privateKey: await webcrypto.subtle.importKey('pkcs8', key.export({ type: 'pkcs8', format: 'der' }), EC, true, ['sign']),
        publicKey: await webcrypto.subtle.importKey('jwk', jwk as webcrypto.JsonWebKey, EC, true, ['verify']),
      };
      const request = await x509.Pkcs10CertificateRequestGenerator.create({ name: `CN=${sn}`, keys: keys as never, signingAlgorithm: EC });
      return request.toString('pem');
    },
    sign: (text) => sign('sha256', Buffer.from(text), key).toString('base64'),
  };
}

/** A terminal makes its own key; it never leaves it. */
export const makeDeviceKeys = (): DeviceKeys => keysOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
export const readDeviceKeys = (pem: string): DeviceKeys => keysOf(createPrivateKey(pem));

/** The same key for the same seed: a virtual terminal that starts again is still the one that enrolled. */
export function seededDeviceKeys(seed: string): DeviceKeys {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(createHash('sha256').update(`device-key:${seed}`).digest());
  const point = ecdh.getPublicKey();
  const part = (from: number, to: number) => point.subarray(from, to).toString('base64url');
  // Leading zeros are part of the number's 32 bytes.
  const d = Buffer.concat([Buffer.alloc(32), ecdh.getPrivateKey()])
    .subarray(-32)
    .toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33, 65), d };
  return keysOf(createPrivateKey({ key: jwk, format: 'jwk' }));
}
