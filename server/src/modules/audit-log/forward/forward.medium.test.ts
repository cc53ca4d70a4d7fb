import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { forwardCalls } from '@mooring/contract/audit-log/forward-calls';
import { productCalls } from '@mooring/contract/product/calls';
import { Syslog } from '@mooring/contract/settings/kinds';
import { systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, type TestApp, testApp } from '../../../../test/test-app.ts';
import { sealAudit } from '../../../platform/audit/seal-chain.ts';
import { TIP_FILE } from '../../../platform/audit/seal-tip.ts';
import { freePort } from '../../../platform/free-port.ts';
import { issueCertificate, makeKeys, privatePem } from '../../../platform/gateway/x509.ts';
import { missingPrograms, until } from '../../device/device.factory.ts';
import { forwardDue } from './forward.ts';

const gtls = globSync('/usr/lib/*/rsyslog/lmnsd_gtls.so').length > 0 && missingPrograms('rsyslogd').length === 0;
if (!gtls)
  process.stderr.write(
    'skipped: rsyslog with its driver for TLS is not installed here: forwarding is tried against our own receiver alone\n',
  );

let app: TestApp;
let admin: Client;
let folder: string;
let ca: string;
let pair: { cert: string; key: string };
const open: (() => unknown)[] = [];

beforeAll(async () => {
  const now = new Date();
  const [above, below] = [await makeKeys(), await makeKeys()];
  const signer = { key: above.privateKey, self: true as const };
  const root = await issueCertificate({ subject: 'CN=Log authority', publicKey: above.publicKey, signer, days: 30, now, kind: 'root' });
  const { pem } = await issueCertificate({
    subject: 'CN=localhost',
    publicKey: below.publicKey,
    signer: { certificate: root.pem, key: above.privateKey },
    days: 30,
    now,
    kind: 'server',
    names: ['localhost'],
  });
  ca = root.pem;
  pair = { cert: pem, key: await privatePem(below.privateKey) };
  app = await testApp();
  admin = await app.person('platformAdmin', app.root, 'manager');
});
afterAll(() => app.stop());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mooring-syslog-'));
  // As if nothing had ever been logged, set or forwarded.
  await app.context.pools.owner.query('truncate audit_entry, audit_head, audit_forward restart identity');
  await app.context.pools.owner.query(`delete from settings_value where type in ('auditAnchor', 'syslog', 'outbound')`);
  rmSync(join(app.dataDir, TIP_FILE), { force: true });
  await admin.call(systemSettingCalls.outbound, { allowed: ['127.0.0.0/8'] });
});
afterEach(async () => {
  for (const close of open.splice(0)) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a receiver has read to the end, taken apart by the counted octets. */
const receiver = async (options: { tls?: boolean; port?: number; drop?: boolean } = {}) => {
  const got: string[] = [];
  const sockets = new Set<Socket>();
  const take = (socket: Socket) => {
    sockets.add(socket);
    let bytes = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (part) => {
      bytes = Buffer.concat([bytes, part]);
      for (let at = bytes.indexOf(32); at > 0; at = bytes.indexOf(32)) {
        const size = Number(bytes.subarray(0, at).toString());
        if (bytes.length < at + 1 + size) return;
        got.push(bytes.subarray(at + 1, at + 1 + size).toString());
        bytes = bytes.subarray(at + 1 + size);
      }
    });
  };
  const server: Server = options.tls === false ? createServer(take) : createTlsServer(pair, take);
  // Ended in the middle, as a killed process is.
  if (options.drop) server.on('connection', (raw: Socket) => raw.resetAndDestroy());
  await new Promise<void>((done) => server.listen(options.port ?? 0, '127.0.0.1', done));
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((done) => server.close(done));
  };
  open.push(stop);
  return { got, port: (server.address() as AddressInfo).port, stop };
};
const save = (port: number, more: object = {}) =>
  admin.call(systemSettingCalls.syslog, Syslog.parse({ enabled: true, host: 'localhost', port, ca, ...more }));
const act = async (code: string) => {
  await admin.call(productCalls.add, { code, name: 'Logged', category: 'smartPos' });
  await sealAudit(app.context);
};
const state = () => admin.call(forwardCalls.state);
const forward = () => forwardDue(app.context).then(String, (error: unknown) => (error as { code?: string }).code);

test('entries go out over TLS in their order from the moment on when it was switched on, each once', async () => {
  await act('BEFORE');
  const { got, port } = await receiver();
  await save(port);
  await forward();
  await act('ONE');
  await act('TWO');
  await forward();
  await forward();
  expect(got.map((line) => / target="([^"]*)"/.exec(line)?.[1])).toEqual(['setting syslog', 'product ONE', 'product TWO']);
  expect(got[1]).toMatch(
    /^<109>1 \d{4}-\d\d-\d\dT[\d:.]+Z \S+ mooring - audit \[mooring@32473 id="\d+" sealNo="\d+" .*call="\/product\/add" result="done"\] \/product\/add done$/,
  );
  expect(await state()).toMatchObject({ enabled: true, waiting: 0, failingSince: null, error: null });
});

test('a receiver that is away or breaks off gets everything later, from where it was', async () => {
  const dropping = await receiver({ drop: true });
  await save(dropping.port);
  await forward();
  await act('KEPT');
  expect(await forward()).toMatch(/ECONNRESET|EPIPE/);
  await dropping.stop();
  expect(await forward()).toBe('ECONNREFUSED');
  const down = await state();
  expect(down).toMatchObject({ waiting: 3 });
  expect([down.failingSince, down.error, down.waitingSince].every((one) => one !== null)).toBe(true);
  const back = await receiver({ port: dropping.port });
  await forward();
  expect(back.got.map((line) => / target="([^"]*)"/.exec(line)?.[1])).toEqual(['setting outbound', 'setting syslog', 'product KEPT']);
  expect(await state()).toMatchObject({ waiting: 0, failingSince: null, error: null });
});

test('what was under way when its process ended goes again; two processes send it once', async () => {
  const { got, port } = await receiver();
  await save(port);
  await forward();
  await act('AGAIN');
  await app.context.unscoped((db) => sql`update audit_forward set taken_until = now() + interval '30 seconds'`.execute(db));
  expect(await forward()).toBe('0');
  await app.context.unscoped((db) => sql`update audit_forward set taken_until = now() - interval '1 second'`.execute(db));
  await Promise.all([forward(), forward(), forward()]);
  expect(got.filter((line) => line.includes('product AGAIN'))).toHaveLength(1);
});

test('a certificate of nobody’s is refused, and another name', async () => {
  const { got, port } = await receiver();
  await save(port, { ca: '' });
  await forward();
  await act('UNSENT');
  expect(await forward()).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE');
  await save(port, { host: '127.0.0.1' });
  expect(await forward()).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  expect(got).toEqual([]);
});

test('without TLS on this machine alone; the test says whether it arrived; less is sent where less is asked', async () => {
  const { got, port } = await receiver({ tls: false });
  const plain = { security: 'none', host: '127.0.0.1', ca: '', what: 'security' } as const;
  const elsewhere = await admin.send(systemSettingCalls.syslog, Syslog.parse({ ...plain, port, host: '192.0.2.1' }));
  expect(elsewhere.body).toMatchObject({ fields: { security: { key: 'invalid.plainSyslog' } } });
  expect((await admin.send(systemSettingCalls.syslog, Syslog.parse({ ca: 'x' }))).body).toMatchObject({
    fields: { ca: { key: 'invalid.certificate' } },
  });
  expect((await admin.send(forwardCalls.test)).body).toMatchObject({ fault: 'FORWARD_UNSET' });
  await save(port, plain);
  expect(await admin.call(forwardCalls.test)).toEqual({ delivered: true, error: null });
  expect(got.splice(0)).toEqual([expect.stringMatching(/^<109>1 \S+ \S+ mooring - test - /)]);
  await forward();
  await act('UNWATCHED');
  await forward();
  expect(got.some((line) => line.includes('UNWATCHED'))).toBe(false);
  expect(got.length).toBeGreaterThan(0);
  expect((await state()).waiting).toBe(0);
});

describe.runIf(gtls)('Debian’s rsyslog', () => {
  test('takes every entry over TLS', async () => {
    const port = await freePort();
    for (const [name, text] of Object.entries({ 'ca.pem': ca, 'cert.pem': pair.cert, 'key.pem': pair.key }))
      writeFileSync(join(folder, name), text);
    const out = join(folder, 'out.json');
    writeFileSync(
      join(folder, 'rsyslog.conf'),
      `global(workDirectory="${folder}" defaultNetstreamDriverCAFile="${folder}/ca.pem" defaultNetstreamDriverCertFile="${folder}/cert.pem" defaultNetstreamDriverKeyFile="${folder}/key.pem")
module(load="imtcp" StreamDriver.Name="gtls" StreamDriver.Mode="1" StreamDriver.AuthMode="anon")
input(type="imtcp" port="${port}" address="127.0.0.1")
template(name="fields" type="string" string="%syslogfacility%|%syslogseverity%|%app-name%|%msgid%|%structured-data%|%msg%\\n")
*.* action(type="omfile" file="${out}" template="fields")
`,
    );
    const child: ChildProcess = spawn('/usr/sbin/rsyslogd', ['-n', '-f', join(folder, 'rsyslog.conf'), '-i', join(folder, 'pid')], {
      stdio: 'ignore',
    });
    const ended = new Promise((done) => child.once('exit', done));
    open.push(() => {
      child.kill('SIGTERM');
      return ended;
    });
    await save(port);
    await until(async () => (await admin.call(forwardCalls.test)).delivered);
    await forward();
    for (const code of ['ONE', 'TWO', 'THREE']) await act(`RS-${code}`);
    await forward();
    const lines = () => (existsSync(out) ? readFileSync(out, 'utf8').split('\n').filter(Boolean) : []);
    await until(async () => lines().length >= 5);
    const got = lines().filter((line) => line.includes('product RS-'));
    expect(got).toHaveLength(3);
    expect(got[0]).toMatch(
      /^13\|5\|mooring\|audit\|\[mooring@32473 id="\d+" sealNo="\d+" .*target="product RS-ONE".*\]\| ?\/product\/add done$/,
    );
  });
});
