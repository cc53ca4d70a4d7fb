import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as x509 from '@peculiar/x509';

const YEARS = 5;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** A certificate of this installation's own, made once: browsers give no WebCrypto to plain http beyond loopback. */
export async function localCertificate(dataDir: string, host: string): Promise<{ cert: string; key: string }> {
  const certFile = join(dataDir, 'local-tls.crt');
  const keyFile = join(dataDir, 'local-tls.key');
  if (existsSync(certFile) && existsSync(keyFile)) return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  x509.cryptoProvider.set(webcrypto as never);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names = [...new Set([hostname(), 'localhost', '127.0.0.1', ...(host === '0.0.0.0' || host === '::' ? [] : [host])])];
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${hostname()}, O=Mooring`,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + YEARS * 365 * 86_400_000),
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        names.map((name) => ({ type: isIP(name) ? ('ip' as const) : ('dns' as const), value: name })),
      ),
    ],
  });
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  writeFileSync(keyFile, key, { mode: 0o600 });
  writeFileSync(certFile, certificate.toString('pem'));
  return { cert: certificate.toString('pem'), key };
}
