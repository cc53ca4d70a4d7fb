import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export const openssl = (...args: string[]): string =>
  execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

export interface Authority {
  readonly path: string;
  readonly pem: string;
}

/** Authorities of a test, made by openssl in a folder: key and certificate beside each other. */
export function authorities(folder: string) {
  const at = (name: string) => join(folder, name);
  const extended = (name: string, lines: string): string => {
    writeFileSync(at(`${name}.ext`), `[v]\n${lines}\n`);
    return at(`${name}.ext`);
  };
  const issued = (name: string, by: Authority, csr: string, lines: string, days: number, more: readonly string[] = []): string => {
    const to = at(`${name}.pem`);
    const ext = extended(name, lines);
    const ca = ['-CA', `${by.path}.pem`, '-CAkey', `${by.path}.key`];
    openssl('x509', '-req', '-in', csr, ...ca, '-days', String(days), '-extfile', ext, '-extensions', 'v', '-out', to, ...more);
    return readFileSync(to, 'utf8');
  };
  return {
    root(name: string, days = 90, constraints = 'critical,CA:TRUE'): Authority {
      const path = at(name);
      const into = ['-keyout', `${path}.key`, '-out', `${path}.pem`, '-subj', `/O=Acquirer/CN=${name}`, '-days', String(days)];
      const usage = ['-addext', 'keyUsage=critical,keyCertSign'];
      openssl('req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...into, ...usage, '-addext', `basicConstraints=${constraints}`);
      return { path, pem: readFileSync(`${path}.pem`, 'utf8') };
    },
    /** A key with a certificate by `by`, as its lines say. */
    below(name: string, by: Authority, { days = 60, key = 'rsa:2048', lines = 'basicConstraints=critical,CA:TRUE' } = {}): Authority {
      const path = at(name);
      const kind = key === 'p256' ? ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'] : [key];
      openssl('req', '-newkey', ...kind, '-nodes', '-keyout', `${path}.key`, '-out', `${path}.csr`, '-subj', `/O=Acquirer/CN=${name}`);
      return { path, pem: issued(name, by, `${path}.csr`, lines, days) };
    },
    /** For a request that lies there, by a key that lies there. */
    again: (name: string, by: Authority, lines: string): Authority => ({
      path: at(name),
      pem: issued(name, by, `${at(name)}.csr`, lines, 60),
    }),
    /** For a request that came from elsewhere. */
    sign(name: string, by: Authority, request: string, days = 30): string {
      writeFileSync(at(`${name}.csr`), request);
      return issued(name, by, at(`${name}.csr`), 'basicConstraints=critical,CA:FALSE', days);
    },
  };
}

/** A time-stamping service on loopback that answers as openssl does (RFC 3161), until it is told otherwise. */
export async function timeService(folder: string, by: Authority) {
  const ca = authorities(folder);
  const lines = ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature', 'extendedKeyUsage=critical,timeStamping'];
  const signer = ca.below('Clock', by, { lines: lines.join('\n') });
  const at = (name: string) => join(folder, `time.${name}`);
  const section = [
    '[t]',
    `serial = ${at('serial')}`,
    `signer_cert = ${signer.path}.pem`,
    `certs = ${by.path}.pem`,
    `signer_key = ${signer.path}.key`,
  ];
  const rest = ['signer_digest = sha256', 'default_policy = 1.2.3.4', 'digests = sha256', 'accuracy = secs:1', 'ess_cert_id_alg = sha256'];
  writeFileSync(at('cnf'), `${[...section, ...rest].join('\n')}\n`);
  writeFileSync(at('serial'), '01\n');
  const service = { answers: true, again: undefined as Buffer | undefined, last: Buffer.alloc(0) as Buffer, asked: 0 };
  const answer = (request: Buffer): Buffer => {
    writeFileSync(at('tsq'), request);
    openssl('ts', '-reply', '-config', at('cnf'), '-section', 't', '-queryfile', at('tsq'), '-out', at('tsr'));
    return readFileSync(at('tsr'));
  };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    service.asked += 1;
    if (!service.answers) return response.writeHead(503).end();
    service.last = service.again ?? answer(Buffer.concat(parts));
    return response.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(service.last);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const stop = () => new Promise((done) => server.close(done));
  return Object.assign(service, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`, stop });
}
