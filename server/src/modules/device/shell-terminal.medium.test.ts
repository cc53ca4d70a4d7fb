import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diskStore } from '../../platform/files/disk-store.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import { loadReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { sendMessages } from '../../platform/gateway/send-messages.ts';
import { estate, missingPrograms, type TestStack, testStack, until } from './device.factory.ts';

const missing = missingPrograms('mosquitto_pub', 'mosquitto_sub', 'curl', 'openssl', 'jq', 'bash');
if (missing.length > 0)
  process.stderr.write(`skipped: the terminal in shell is not tried here, since ${missing.join(', ')} is not installed\n`);
const script = join(import.meta.dirname, '../../../../terminal/examples/terminal.sh');
const SN = 'SHELL-0001';

test('the terminal in shell has under 100 lines', () => {
  expect(readFileSync(script, 'utf8').split('\n').length).toBeLessThan(100);
});

describe.skipIf(missing.length > 0)('a terminal in shell', () => {
  let plane: TestStack;
  let child: ChildProcess;
  let said = '';
  const folder = mkdtempSync(join(tmpdir(), 'mooring-shell-'));
  const bytes = randomBytes(1_500_000);

  beforeAll(async () => {
    plane = await testStack();
    const { code } = await plane.app.unscoped((db) => estate(db));
    child = spawn('bash', [script], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, SERVER: plane.server, SN, PRODUCT: 'A920', CODE: code, DIR: folder, BEAT: '2' },
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  });
  afterAll(async () => {
    // The script's own processes are its group.
    if (child.pid) process.kill(-child.pid, 'SIGTERM');
    await plane.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('enrols, takes a firmware task to success, and answers a command', async () => {
    const device = await until(
      () =>
        plane.app.unscoped((db) => db.selectFrom('device').select('id').where('sn', '=', SN).where('status', '=', '3').executeTakeFirst()),
      30,
    );
    const { sha256 } = await diskStore(`${plane.dataDir}/blobs`).put(Readable.from([bytes]));
    const keys = await loadReleaseKeys(plane.app);
    const { manifest, signature } = keys.sign({ product: 'A920', kind: 'TA', version: '2.0.0', base: null, size: bytes.length, sha256 });
    const expiresAt = new Date(Date.now() + 3_600_000);
    await plane.app.unscoped((db) =>
      sendMessages(db, [
        {
          deviceId: device.id,
          kind: 'offer',
          key: 'shell-1',
          expiresAt,
          data: {
            offer: 'shell-1',
            kind: 'firmware',
            package: { ...manifest, signature },
            releaseKey: keys.key,
            url: fileUrl(plane.app.masterKey, { sn: SN, sha256, expiresAt }),
          },
        },
        {
          deviceId: device.id,
          kind: 'command',
          key: 'shell-2',
          expiresAt,
          data: { command: 'message', params: { title: 'Hi', text: 'there' } },
        },
      ]),
    );
    await until(
      () =>
        plane.app.unscoped((db) =>
          db.selectFrom('device').select('id').where('sn', '=', SN).where('firmware', '=', '2.0.0').executeTakeFirst(),
        ),
      40,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${said}`);
    });
    expect(
      createHash('sha256')
        .update(readFileSync(join(folder, 'image')))
        .digest('hex'),
    ).toBe(sha256);
    await until(() =>
      plane.app.unscoped((db) =>
        db.selectFrom('gateway_outbox').select('id').where('key', '=', 'shell-2').where('state', '=', 'done').executeTakeFirst(),
      ),
    );
    await until(
      async () => (await plane.app.unscoped((db) => sql`select 1 from gateway_outbox where key = 'shell-1'`.execute(db))).rows.length === 0,
    );
  }, 90_000);
});
