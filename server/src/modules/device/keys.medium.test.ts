import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import { sql } from 'kysely';
import mqtt from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diskStore } from '../../platform/files/disk-store.ts';
import { type DeviceAuthority, loadDeviceAuthority, rotateIssuer } from '../../platform/gateway/device-authority.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import { loadReleaseKeys, rotateReleaseKey } from '../../platform/gateway/release-keys.ts';
import { sendMessages } from '../../platform/gateway/send-messages.ts';
import { estate, joined, missingPrograms, type TestStack, testStack, until } from './device.factory.ts';

let plane: TestStack;
let code: string;
let folder: string;
let old: Fleet;
let young: Fleet;
const fleetOf = (seed: string) =>
  startFleet({ server: plane.server, count: 1, seed, code, over: 'tls', maxBackoffSeconds: 1, installSeconds: 0.05, bootSeconds: 0.05 });
const issuerOf = (fleet: Fleet) => new X509Certificate(fleet.terminals[0]?.enrolled()?.certificate ?? '').issuer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-crl-'));
  plane = await testStack({ BROKER_FILES: folder, BROKER_RELOAD: 'echo x >>"$BROKER_FILES/reloads"' });
  ({ code } = await plane.app.unscoped((db) => estate(db)));
  old = fleetOf('OLD');
  await old.whenOnline(1);
});
afterAll(async () => {
  await Promise.all([old?.stop(), young?.stop()]);
  await plane.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('the broker’s list has one of the new issuing key as soon as that is made', async () => {
  const listed = () => readFileSync(join(folder, 'crl.pem'), 'utf8').match(/BEGIN X509 CRL/g)?.length;
  const reloads = () => readFileSync(join(folder, 'reloads'), 'utf8').length;
  await until(() => listed() === 1);
  const before = await until(reloads);
  await rotateIssuer(plane.app);
  await until(() => listed() === 2 && reloads() > before);
});

test('the issuing key is replaced: who is in goes on, who comes gets a certificate of the new one', async () => {
  await rotateIssuer(plane.app);
  await plane.restart();
  await until(() => old.online() === 0);
  await old.whenOnline(1);
  young = fleetOf('YOUNG');
  await young.whenOnline(1);
  expect(issuerOf(young)).not.toBe(issuerOf(old));
  expect(young.terminals[0]?.enrolled()?.root).toBe(old.terminals[0]?.enrolled()?.root);
});

test('an offer signed with a new release key is taken by a terminal that knows only the root', async () => {
  const before = await loadReleaseKeys(plane.app);
  const after = await rotateReleaseKey(plane.app);
  expect(after.key.id).not.toBe(before.key.id);
  expect(after.root).toBe(before.root);
  const bytes = Buffer.alloc(50_000, 7);
  const { sha256 } = await diskStore(`${plane.dataDir}/blobs`).put(Readable.from([bytes]));
  const device = await plane.app.unscoped((db) =>
    db.selectFrom('device').select(['id', 'sn']).where('sn', 'like', 'VOLD-%').executeTakeFirstOrThrow(),
  );
  const { manifest, signature } = after.sign({ product: 'A920', kind: 'TA', version: '2.0.0', base: null, size: bytes.length, sha256 });
  const expiresAt = new Date(Date.now() + 3_600_000);
  const data = {
    offer: 'rotated-1',
    kind: 'firmware',
    package: { ...manifest, signature },
    releaseKey: after.key,
    url: fileUrl(plane.app.masterKey, { sn: device.sn, sha256, expiresAt }),
    retries: { times: 1, waitSeconds: 1 },
  };
  await plane.app.unscoped((db) => sendMessages(db, [{ deviceId: device.id, kind: 'offer', key: 'rotated-1', expiresAt, data }]));
  await until(() => old.terminals[0]?.journal.offers.get('rotated-1')?.result !== undefined);
  expect(old.terminals[0]?.journal.offers.get('rotated-1')?.result).toMatchObject({ outcome: 'success', version: '2.0.0' });
});

test('a revocation and a shut-out reach the broker’s list, under old and new issuer, and the broker is told', async ({ skip }) => {
  const reloads = () => readFileSync(join(folder, 'reloads'), 'utf8').split('\n').length - 1;
  const before = await until(() => reloads());
  await plane.app.unscoped(async (db) => {
    await sql`update device_credential set revoked_at = now() where device_id = (select id from device where sn like 'VOLD-%')`.execute(db);
    await sql`update device set status = '4' where sn like 'VYOUNG-%'`.execute(db);
  });
  await until(() => reloads() > before);
  // The live connections are cut once the broker knows, without anything else.
  await until(() => old.online() === 0 && young.online() === 0);
  const list = readFileSync(join(folder, 'crl.pem'), 'utf8');
  expect(list.match(/BEGIN X509 CRL/g)).toHaveLength(3);
  if (missingPrograms('openssl').length > 0) {
    process.stderr.write('skipped: openssl is not installed here: the list is not checked\n');
    skip();
  }
  const verdict = (fleet: Fleet): string => {
    const { certificate = '', root = '' } = fleet.terminals[0]?.enrolled() ?? {};
    const [leaf = '', issuer = ''] = certificate.split(/(?<=END CERTIFICATE-----)\n/);
    for (const [name, text] of Object.entries({ leaf, issuer, root })) writeFileSync(join(folder, `${name}.pem`), text);
    const { stdout, stderr } = spawnSync(
      'openssl',
      ['verify', '-crl_check', '-CRLfile', 'crl.pem', '-CAfile', 'root.pem', '-untrusted', 'issuer.pem', 'leaf.pem'],
      { cwd: folder, encoding: 'utf8' },
    );
    return stdout + stderr;
  };
  expect(verdict(old)).toContain('certificate revoked');
  expect(verdict(young)).toContain('certificate revoked');
  await plane.app.unscoped((db) => sql`update device set status = '2' where sn like 'VYOUNG-%'`.execute(db));
  await young.whenOnline(1);
  await until(() => verdict(young).includes('OK'));
  expect(verdict(old)).toContain('certificate revoked');
});

test.runIf(missingPrograms('mosquitto').length === 0)('Mosquitto lets in a terminal of the new issuing key', async () => {
  const outside = await testStack({}, 'mosquitto');
  const first = await loadDeviceAuthority(outside.app);
  const comesIn = async (authority: DeviceAuthority, sn: string) => {
    const { cert, key } = await authority.takeOver(sn);
    const client = mqtt.connect(`mqtts://127.0.0.1:${outside.mqttTlsPort}`, {
      clientId: sn,
      cert,
      key,
      ca: authority.root,
      reconnectPeriod: 0,
    });
    return joined(client)
      .then(
        () => true,
        () => false,
      )
      .finally(() => client.end(true));
  };
  try {
    expect(await comesIn(first, 'BEFORE-1')).toBe(true);
    const next = await rotateIssuer(outside.app);
    await until(() => comesIn(next, 'AFTER-1'));
    expect(await comesIn(first, 'BEFORE-1')).toBe(true);
  } finally {
    await outside.stop();
  }
});

test('without the root’s key nothing is replaced, and the present key goes on', async () => {
  const file = join(plane.dataDir, 'authority', 'device-root.key');
  const present = (await loadDeviceAuthority(plane.app)).issuer;
  renameSync(file, `${file}.away`);
  await expect(rotateIssuer(plane.app)).rejects.toThrow('is needed to make a new key below this root');
  expect((await loadDeviceAuthority(plane.app)).issuer).toBe(present);
  renameSync(`${file}.away`, file);
});
