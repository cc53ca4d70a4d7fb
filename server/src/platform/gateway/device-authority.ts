import { randomBytes, X509Certificate } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import { CERTIFICATE_DAYS } from '@mooring/contract/device/limits';
import type { AppContext } from '../app-context.ts';
import { currentKey, keepKey, keepRootKey, keysOfRole, lockKeys, openRootKey, retireKey } from './key-store.ts';
import { revokedCertificates } from './revoked.ts';
import { type Issued, issueCertificate, makeCrl, makeKeys, privatePem, readPrivatePem, readRequest, type Signer } from './x509.ts';

const ROOT_DAYS = 20 * 365;
const ISSUER_DAYS = 5 * 365;
const SERVER_DAYS = 397;

export interface DeviceAuthority {
  /** What terminals and brokers trust. */
  readonly root: string;
  readonly issuer: string;
  /** A certificate for the key of a signing request; undefined where the request isn't signed by its key. */
  issue(sn: string, request: string): Promise<Issued | undefined>;
  /** For TLS of the broker, where no other certificate is given. */
  server(names: readonly string[]): Promise<{ cert: string; key: string }>;
  /** Speaks as a terminal for a day, to take over its session and end it. */
  takeOver(sn: string): Promise<{ cert: string; key: string }>;
  /** For this server's own place at an outside broker. */
  broker(name: string): Promise<{ cert: string; key: string }>;
  /** A list for each issuing key whose certificates may still be about: a broker wants one for each issuer. */
  crl(): Promise<string>;
}

const newId = (role: string, now: Date) =>
  `${role}-${now.toISOString().slice(0, 19).replaceAll(/\D/g, '')}-${randomBytes(3).toString('hex')}`;

async function makeRoot(app: AppContext, db: Parameters<typeof keepKey>[0]): Promise<string> {
  const keys = await makeKeys();
  const { pem } = await issueCertificate({
    subject: 'CN=Mooring device root',
    publicKey: keys.publicKey,
    signer: { key: keys.privateKey, self: true },
    days: ROOT_DAYS,
    now: app.now(),
    kind: 'root',
  });
  keepRootKey(app, 'device-root', await privatePem(keys.privateKey));
  await keepKey(db, {
    id: newId('root', app.now()),
    role: 'deviceRoot',
    public_key: '',
    certificate: pem,
    signature: null,
    private_key_sealed: null,
  });
  return pem;
}

async function makeIssuer(app: AppContext, db: Parameters<typeof keepKey>[0], root: string): Promise<Signer> {
  const keys = await makeKeys();
  const signer = { certificate: root, key: await readPrivatePem(openRootKey(app, 'device-root')) };
  const id = newId('issuer', app.now());
  const { pem } = await issueCertificate({
    subject: `CN=Mooring device issuer ${id}`,
    publicKey: keys.publicKey,
    signer,
    days: ISSUER_DAYS,
    now: app.now(),
    kind: 'issuer',
  });
  await keepKey(db, {
    id,
    role: 'deviceIssuer',
    public_key: '',
    certificate: pem,
    signature: null,
    private_key_sealed: app.masterKey.seal('device-issuer', Buffer.from(await privatePem(keys.privateKey))),
  });
  return { certificate: pem, key: keys.privateKey };
}

const openIssuer = async (app: AppContext, certificate: string, sealed: Buffer): Promise<Signer> => ({
  certificate,
  key: await readPrivatePem(app.masterKey.open('device-issuer', sealed).toString()),
});

/** Root and issuing key of the terminals' certificates; made at the first start of an installation. */
export async function loadDeviceAuthority(app: AppContext): Promise<DeviceAuthority> {
  const { root, signer } = await app.unscoped(async (db) => {
    await lockKeys(db);
    const certificate = (await currentKey(db, 'deviceRoot'))?.certificate ?? (await makeRoot(app, db));
    const row = await currentKey(db, 'deviceIssuer');
    const issuing =
      row?.certificate && row.private_key_sealed
        ? await openIssuer(app, row.certificate, row.private_key_sealed)
        : await makeIssuer(app, db, certificate);
    return { root: certificate, signer: issuing };
  });
  const withChain = (pem: string) => `${pem.trim()}\n${signer.certificate.trim()}\n`;
  const own = async (wanted: { subject: string; days: number; kind: 'device' | 'server'; names?: readonly string[] }) => {
    const keys = await makeKeys();
    const { pem } = await issueCertificate({ ...wanted, publicKey: keys.publicKey, signer, now: app.now() });
    return { cert: withChain(pem), key: await privatePem(keys.privateKey) };
  };
  return {
    root,
    issuer: signer.certificate,
    async issue(sn, request) {
      const read = await readRequest(request);
      if (!read) return undefined;
      const issued = await issueCertificate({
        subject: `CN=${sn}, O=Mooring terminal`,
        publicKey: read.publicKey,
        signer,
        days: CERTIFICATE_DAYS,
        now: app.now(),
        kind: 'device',
      });
      return { ...issued, pem: withChain(issued.pem) };
    },
    server: (names) => own({ subject: `CN=${names[0] ?? 'localhost'}`, days: SERVER_DAYS, kind: 'server', names }),
    takeOver: (sn) => own({ subject: `CN=${sn}, O=Mooring terminal`, days: 1, kind: 'device' }),
    broker: (name) => own({ subject: `CN=${name}`, days: SERVER_DAYS, kind: 'device' }),
    async crl() {
      const [issuers, gone] = await Promise.all([app.unscoped((db) => keysOfRole(db, 'deviceIssuer')), revokedCertificates(app)]);
      const lists: string[] = [];
      for (const row of issuers) {
        if (!row.certificate || !row.private_key_sealed || new Date(new X509Certificate(row.certificate).validTo) <= app.now()) continue;
        lists.push(await makeCrl(await openIssuer(app, row.certificate, row.private_key_sealed), gone, app.now()));
      }
      return `${lists.map((one) => one.trim()).join('\n')}\n`;
    },
  };
}

/** The names under which terminals may reach this machine. */
export function ownNames(host: string): string[] {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter((one) => one.family === 'IPv4')
    .map((one) => one.address);
  return [...new Set(['localhost', '127.0.0.1', hostname(), host, ...addresses])].filter(
    (name) => name !== '' && name !== '0.0.0.0' && name !== '::',
  );
}

/** Retires the issuing key; certificates of the old one stay good until they end, since both hang below the root. */
export async function rotateIssuer(app: AppContext): Promise<DeviceAuthority> {
  await app.unscoped(async (db) => {
    await lockKeys(db);
    const root = await currentKey(db, 'deviceRoot');
    if (!root?.certificate) return;
    // Without the root's key nothing is retired.
    const old = await currentKey(db, 'deviceIssuer');
    await makeIssuer(app, db, root.certificate);
    if (old) await retireKey(db, old.id, app.now());
  });
  return loadDeviceAuthority(app);
}
