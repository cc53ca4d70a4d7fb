import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
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

const type = { kind: 'text', maxLength: 20 };
/** More than the terminal lets anybody set. */
const model = {
  properties: [
    { id: 'slogan', name: 'Slogan', access: 'rw', dataType: type },
    { id: 'uptime', name: 'Uptime', access: 'rw', dataType: { kind: 'int', min: null, max: null, step: null, unit: 's' } },
  ],
  services: [],
  events: [],
};

test('the terminal in shell has under 100 lines', () => {
  expect(readFileSync(script, 'utf8').split('\n').length).toBeLessThan(100);
});

test.skipIf(missing.length > 0)(
  'in shell a late command is refused, a repeated one is answered alike, and an older set undoes no newer one',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'mooring-shell-'));
    try {
      const whole = readFileSync(script, 'utf8');
      const taking = whole.slice(whole.indexOf('values() {'), whole.indexOf('( while sleep'));
      const order = (id: string, seq: number, slogan: string, expiresAt: string) =>
        `take command '${JSON.stringify({ id, data: { command: 'propertySet', params: { values: { slogan } }, seq, expiresAt } })}'`;
      const [soon, past] = [new Date(Date.now() + 3_600_000).toISOString(), new Date(Date.now() - 1000).toISOString()];
      const lines = [
        'set -euo pipefail; cd "$0"; mkdir results; touch slogan; echo 0 >seq; say() { :; }; log() { :; }; keep() { echo "$3"; }',
        taking,
        order('new', 7, 'newer', soon),
        order('old', 6, 'older', soon),
        order('late', 8, 'late', past),
        'echo other >slogan',
        order('new', 7, 'newer', soon),
      ];
      const said = execFileSync('bash', ['-c', lines.join('\n'), folder], { encoding: 'utf8' });
      const answers = said
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object);
      const done = { to: 'new', outcome: 'done' };
      expect(answers).toEqual([done, { to: 'old', outcome: 'done' }, { to: 'late', outcome: 'failed', reason: 'expired' }, done]);
      expect(readFileSync(join(folder, 'slogan'), 'utf8')).toBe('other\n');
      expect(readFileSync(join(folder, 'seq'), 'utf8')).toBe('7\n');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

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
    const device = await until(() =>
      plane.app.unscoped((db) => db.selectFrom('device').select('id').where('sn', '=', SN).where('status', '=', '3').executeTakeFirst()),
    );
    const { sha256 } = await diskStore(`${plane.dataDir}/blobs`).put(Readable.from([bytes]));
    const keys = await loadReleaseKeys(plane.app);
    const { manifest, signature } = keys.sign({ product: 'A920', kind: 'TA', version: '2.0.0', base: null, size: bytes.length, sha256 });
    const expiresAt = new Date(Date.now() + 3_600_000);
    await plane.app.unscoped((db) =>
      sql`insert into product_model (product_id, version, state, model, dept_path, created_by)
        select id, 1, 'published', ${JSON.stringify(model)}::jsonb, dept_path, 'test' from product_product where code = 'A920'`.execute(db),
    );
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
        ...[{ slogan: 'Thank you' } as Record<string, string | number>, { uptime: 0 }].map((values, at) => ({
          deviceId: device.id,
          kind: 'command' as const,
          key: `shell-set-${at}`,
          expiresAt,
          data: { command: 'propertySet', params: { values } },
        })),
      ]),
    );
    await until(() =>
      plane.app.unscoped((db) =>
        db.selectFrom('device').select('id').where('sn', '=', SN).where('firmware', '=', '2.0.0').executeTakeFirst(),
      ),
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
    const sets = await until(async () => {
      const { rows } = await plane.app.unscoped((db) =>
        sql<{ state: string; reason: string | null }>`
          select state, reason from gateway_outbox where key like 'shell-set-%' and state in ('done', 'failed') order by key`.execute(db),
      );
      return rows.length === 2 ? rows : undefined;
    });
    expect(sets).toMatchObject([{ state: 'done' }, { state: 'failed', reason: 'readOnly' }]);
    // Values and answers are written in lanes of their own: either may be there first.
    const told = await until(() =>
      plane.app.unscoped((db) =>
        db.selectFrom('device_presence').select('properties').where('properties', 'is not', null).executeTakeFirst(),
      ),
    );
    expect(told.properties).toEqual({ slogan: 'Thank you', uptime: expect.any(Number) });
    await until(
      async () => (await plane.app.unscoped((db) => sql`select 1 from gateway_outbox where key = 'shell-1'`.execute(db))).rows.length === 0,
    );
  });
});
