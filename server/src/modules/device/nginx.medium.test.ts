import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { fetchBytes } from '@mooring/terminal/download';
import { startFleet } from '@mooring/terminal/start-fleet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diskStore } from '../../platform/files/disk-store.ts';
import { freePort } from '../../platform/free-port.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import { loadReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { sendMessages } from '../../platform/gateway/send-messages.ts';
import { issueCertificate, makeKeys, privatePem } from '../../platform/gateway/x509.ts';
import { estate, missingPrograms, type TestStack, testStack, until } from './device.factory.ts';

/** Debian's module, beside the program that is found. */
function streamModule(): string | undefined {
  if (missingPrograms('nginx').length > 0) return undefined;
  const program = execFileSync('sh', ['-c', 'PATH=$PATH:/usr/sbin command -v nginx'], { encoding: 'utf8' }).trim();
  const path = join(dirname(realpathSync(program)), '../lib/nginx/modules/ngx_stream_module.so');
  return existsSync(path) ? path : undefined;
}
const stream = streamModule();
if (!stream) process.stderr.write('skipped: nginx with its stream module is not installed here: the front is not tried\n');

/** As an installation has one: of an authority that has nothing to do with this product. */
async function foreignCertificate(): Promise<{ root: string; cert: string; key: string }> {
  const now = new Date();
  const [above, below] = [await makeKeys(), await makeKeys()];
  const signer = { key: above.privateKey, self: true as const };
  const root = await issueCertificate({
    subject: 'CN=An ordinary authority',
    publicKey: above.publicKey,
    signer,
    days: 30,
    now,
    kind: 'root',
  });
  const { pem } = await issueCertificate({
    subject: 'CN=localhost',
    publicKey: below.publicKey,
    signer: { certificate: root.pem, key: above.privateKey },
    days: 30,
    now,
    kind: 'server',
    names: ['localhost', '127.0.0.1'],
  });
  return { root: root.pem, cert: pem, key: await privatePem(below.privateKey) };
}

describe.runIf(stream)('nginx as packaging/nginx.conf sets it up', () => {
  let plane: TestStack;
  let nginx: ChildProcess;
  let folder: string;
  let front: string;
  let ca: string;
  let code: string;
  const bytes = randomBytes(3_000_000);
  const sha256 = createHash('sha256').update(bytes).digest('hex');

  beforeAll(async () => {
    const [https, mqtts] = [await freePort(), await freePort()];
    front = `https://127.0.0.1:${https}`;
    folder = mkdtempSync(join(tmpdir(), 'mooring-nginx-'));
    plane = await testStack({ TRUST_PROXY: '1', ACCEL_LOCATION: '/blobs', MQTT_DEVICE_URL: `mqtts://127.0.0.1:${mqtts}` });
    ({ code } = await plane.app.unscoped((db) => estate(db)));
    await diskStore(join(plane.dataDir, 'blobs')).put(Readable.from([bytes]));
    const { root, cert, key } = await foreignCertificate();
    ca = root;
    writeFileSync(join(folder, 'foreign-root.pem'), root);
    writeFileSync(join(folder, 'mooring.pem'), cert);
    writeFileSync(join(folder, 'mooring.key'), key);
    for (const one of [folder, plane.dataDir]) chmodSync(one, 0o755);
    const there: [string | RegExp, string][] = [
      ['/usr/lib/nginx/modules/ngx_stream_module.so', stream ?? ''],
      [/^user .*$/m, process.getuid?.() === 0 ? 'user root;' : ''],
      ['/run/nginx.pid', join(folder, 'pid')],
      ['/var/log/nginx/error.log', join(folder, 'error.log')],
      [/worker_rlimit_nofile.*\n/, ''],
      ['worker_connections 16384', 'worker_connections 512'],
      [
        /include \/etc\/nginx\/mime.types;/,
        ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' '),
      ],
      ['listen 443 ssl', `listen 127.0.0.1:${https} ssl`],
      ['/etc/ssl/mooring.pem', join(folder, 'mooring.pem')],
      ['/etc/ssl/mooring.key', join(folder, 'mooring.key')],
      ['server 127.0.0.1:8080', `server ${new URL(plane.server).host}`],
      ['/var/lib/mooring/blobs/', `${join(plane.dataDir, 'blobs')}/`],
      ['listen 8883', `listen 127.0.0.1:${mqtts}`],
      ['127.0.0.1:18883', `127.0.0.1:${plane.mqttTlsPort}`],
    ];
    let conf = readFileSync(join(import.meta.dirname, '../../../../packaging/nginx.conf'), 'utf8');
    for (const [what, by] of there) {
      expect(conf.search(what), String(what)).toBeGreaterThan(-1);
      conf = conf.replace(what, by);
    }
    writeFileSync(join(folder, 'nginx.conf'), conf);
    nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log'), '-g', 'daemon off;'], {
      stdio: 'inherit',
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    });
    await until(
      () =>
        new Promise<boolean>((resolve) => {
          const socket = connect(https, '127.0.0.1', () => {
            socket.destroy();
            resolve(true);
          });
          socket.once('error', () => resolve(false));
        }),
    );
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => nginx.once('exit', resolve));
    nginx.kill('SIGQUIT');
    await ended;
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      const asked = request(new URL(path, front), { method, headers, ca }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) }));
      });
      asked.once('error', reject);
      asked.end();
    });

  test('terminals come through it with their own certificates, and its files are sent by nginx, whole, in parts and resumed', async () => {
    const fleet = startFleet({ server: plane.server, count: 3, seed: 'NGX', code, over: 'tls', maxBackoffSeconds: 1 });
    try {
      await fleet.whenOnline(3);
      expect(fleet.terminals[0]?.enrolled()?.mqtt.tls).not.toContain(String(plane.mqttTlsPort));
      const sn = fleet.terminals[0]?.sn ?? '';
      const link = (of = sn) => fileUrl(plane.app.masterKey, { sn: of, sha256, expiresAt: new Date(Date.now() + 60_000) });
      const whole = await get(link());
      expect([whole.status, whole.body.equals(bytes), whole.headers.etag]).toEqual([200, true, `"${sha256}"`]);
      // nginx itself sent it: this server names no date of the file.
      expect(whole.headers['last-modified']).toBeDefined();
      const part = await get(link(), { range: 'bytes=2999000-' });
      expect([part.status, part.headers['content-range'], part.body.equals(bytes.subarray(2_999_000))]).toEqual([
        206,
        'bytes 2999000-2999999/3000000',
        true,
      ]);
      const head = await get(link(), {}, 'HEAD');
      expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '3000000', 0]);
      expect((await get(link(), { 'if-none-match': `"${sha256}"` })).status).toBe(304);
      expect((await get(link('NOBODY-1'))).status).toBe(403);
      expect((await get(`/blobs/${sha256.slice(0, 2)}/${sha256}`)).status).toBe(404);

      // A line that breaks goes on where it was.
      const kept: Buffer[] = [];
      let resets = 0;
      const received = () => kept.reduce((sum, one) => sum + one.length, 0);
      const sink = {
        received,
        write: async (chunk: Buffer) => void kept.push(chunk),
        reset: async () => {
          resets += 1;
          kept.length = 0;
        },
        digest: async () => createHash('sha256').update(Buffer.concat(kept)).digest('hex'),
        close: async () => {},
      };
      const fetching = { url: new URL(link(), front), size: bytes.length, sha256, sink, signal: new AbortController().signal, ca };
      expect(await fetchBytes({ ...fetching, breakAfter: 1_000_000 })).toEqual({ ok: false, reason: 'broken', cause: 'line broke off' });
      expect(await fetchBytes(fetching)).toEqual({ ok: true });
      expect([await sink.digest(), resets]).toEqual([sha256, 0]);
    } finally {
      await fleet.stop();
    }
  });

  /** A fleet in a process of its own: what a process trusts is settled at its start. */
  async function outcome(seed: string, server: string, trust: Record<string, string>): Promise<Record<string, unknown>> {
    const args = ['--server', server, '--count', '1', '--seed', seed, '--code', code, '--over', 'tls', '--state', ''];
    const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('@mooring/terminal/fleet')), ...args], {
      env: { ...process.env, ...trust },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    try {
      const device = await until(() =>
        plane.app.unscoped((db) =>
          db.selectFrom('device').select(['id', 'sn']).where('sn', 'like', `V${seed}-%`).where('status', '=', '3').executeTakeFirst(),
        ),
      );
      const keys = await loadReleaseKeys(plane.app);
      const { manifest, signature } = keys.sign({ product: 'A920', kind: 'TA', version: '2.0.0', base: null, size: bytes.length, sha256 });
      const expiresAt = new Date(Date.now() + 3_600_000);
      const data = {
        offer: `${seed}-1`,
        kind: 'firmware',
        package: { ...manifest, signature },
        releaseKey: keys.key,
        url: new URL(fileUrl(plane.app.masterKey, { sn: device.sn, sha256, expiresAt }), front).href,
        retries: { times: 1, waitSeconds: 1 },
      };
      await plane.app.unscoped((db) => sendMessages(db, [{ deviceId: device.id, kind: 'offer', key: `${seed}-1`, expiresAt, data }]));
      return await until(() => {
        const line = said.split('\n').find((one) => one.includes(' result {') && one.endsWith('}'));
        return line ? (JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>) : undefined;
      });
    } finally {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
  }

  test('a terminal takes files behind an ordinary certificate that its system trusts, or NODE_EXTRA_CA_CERTS', async () => {
    const root = join(folder, 'foreign-root.pem');
    expect(await outcome('SYS', front, { SSL_CERT_FILE: root })).toMatchObject({ outcome: 'success', bytes: bytes.length });
    expect(await outcome('XTR', front, { NODE_EXTRA_CA_CERTS: root })).toMatchObject({ outcome: 'success', bytes: bytes.length });
  });

  test('a certificate that nobody trusts is refused, and the result says so', async () => {
    const result = await outcome('NOT', plane.server, {});
    expect(result).toMatchObject({ outcome: 'failure', reason: 'downloadFailed', bytes: 0 });
    expect(result.message).toMatch(/certificate.*\(\w+\)/);
  });

  test('a terminal that is shut out comes through it no more', async () => {
    const fleet = startFleet({ server: plane.server, count: 1, seed: 'NGO', code, over: 'tls', maxBackoffSeconds: 1 });
    try {
      await fleet.whenOnline(1);
      await plane.app.unscoped(async (db) => {
        const { id, sn } = await db.selectFrom('device').select(['id', 'sn']).where('sn', 'like', 'VNGO-%').executeTakeFirstOrThrow();
        await db.updateTable('device_credential').set({ revoked_at: new Date() }).where('device_id', '=', id).execute();
        await db.insertInto('gateway_cut').values({ sn }).execute();
      });
      await until(() => fleet.online() === 0);
      await expect(fleet.whenOnline(1, 3)).rejects.toThrow('0 of 1');
    } finally {
      await fleet.stop();
    }
  });

  test('the address that counts is the client’s, not one that it says itself', async () => {
    await get('/d/ca.pem', { 'x-forwarded-for': '203.0.113.7' });
    const counted = await plane.app.unscoped((db) => db.selectFrom('http_rate').select('key').execute());
    expect(counted.map((row) => row.key)).toContain('device 127.0.0.1');
    expect(counted.map((row) => row.key)).not.toContain('device 203.0.113.7');
  });
});
