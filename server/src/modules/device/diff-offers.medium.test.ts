import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { constants, zstdCompressSync } from 'node:zlib';
import type { Up } from '@mooring/contract/device/messages';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { diskStore } from '../../platform/files/disk-store.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import { loadReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { sendMessages } from '../../platform/gateway/send-messages.ts';
import { estate, missingPrograms, type TestStack, testStack, until } from './device.factory.ts';

const MB = 1024 * 1024;
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
let plane: TestStack;
let code: string;
let folder: string;
let attempt = 0;
const fleets: Fleet[] = [];
/** Two versions of one firmware, and the way from the first to the second. */
const first = randomBytes(9 * MB);
const second = Buffer.concat([first.subarray(0, 2 * MB), randomBytes(5000), first.subarray(3 * MB), randomBytes(700)]);
let difference: Buffer;

/** As a maker does it; where zstd isn't installed, by the same library in Node. */
function makeDifference(): Buffer {
  const [base, full, patch] = ['first', 'second', 'patch'].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(base, first);
  writeFileSync(full, second);
  if (missingPrograms('zstd').length > 0) {
    process.stderr.write('zstd is not installed here: the difference is made by Node\n');
    return zstdCompressSync(second, { dictionary: first, params: { [constants.ZSTD_c_enableLongDistanceMatching]: 1 } });
  }
  execFileSync('zstd', ['-q', '-f', `--patch-from=${base}`, full, '-o', patch]);
  return readFileSync(patch);
}

beforeAll(async () => {
  plane = await testStack();
  folder = mkdtempSync(join(tmpdir(), 'mooring-diff-'));
  ({ code } = await plane.app.unscoped((db) => estate(db)));
  difference = makeDifference();
  const store = diskStore(`${plane.dataDir}/blobs`);
  for (const bytes of [first, second, difference]) await store.put(Readable.from([bytes]));
});
afterAll(async () => {
  await Promise.all(fleets.map((one) => one.stop()));
  await plane.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function fleetOf(seed: string, count: number, options: Partial<Parameters<typeof startFleet>[0]> = {}): Promise<Fleet> {
  const fleet = startFleet({
    server: plane.server,
    count,
    seed,
    code,
    maxBackoffSeconds: 1,
    bootSeconds: 0.05,
    installSeconds: 0.05,
    ...options,
  });
  fleets.push(fleet);
  await fleet.whenOnline(count);
  return fleet;
}
const deviceOf = (sn: string) =>
  until(() =>
    plane.app.unscoped((db) =>
      db.selectFrom('device').select(['id', 'sn']).where('sn', '=', sn).where('status', '=', '3').executeTakeFirst(),
    ),
  );

/** One attempt for each terminal of a fleet. Answers the offers' ids. */
async function offer(
  fleet: Fleet,
  version: string,
  how: 'full' | 'difference',
  install: 'silent' | 'restart' = 'silent',
): Promise<string[]> {
  const keys = await loadReleaseKeys(plane.app);
  const bytes = how === 'difference' ? difference : version === '1.0.0' ? first : second;
  const { manifest, signature } = keys.sign({
    product: 'A920',
    kind: how === 'difference' ? 'DI' : 'TA',
    version,
    base: how === 'difference' ? '1.0.0' : null,
    size: bytes.length,
    sha256: digest(bytes),
    ...(how === 'difference' ? { fullSize: second.length, fullSha256: digest(second) } : {}),
  });
  const expiresAt = new Date(Date.now() + 3_600_000);
  attempt += 1;
  const devices = await Promise.all(fleet.terminals.map((one) => deviceOf(one.sn)));
  const offers = devices.map(({ id, sn }) => ({
    deviceId: id,
    kind: 'offer' as const,
    key: `${sn}:${attempt}`,
    expiresAt,
    data: {
      offer: `${sn}:${attempt}`,
      kind: 'firmware',
      package: { ...manifest, signature },
      releaseKey: keys.key,
      url: fileUrl(plane.app.masterKey, { sn, sha256: manifest.sha256, expiresAt }),
      install,
      retries: { times: 3, waitSeconds: 1 },
    },
  }));
  await plane.app.unscoped((db) => sendMessages(db, offers));
  return offers.map((one) => one.key);
}
const resultsOf = async (fleet: Fleet, offers: readonly string[]): Promise<Up['result'][]> => {
  const results = () =>
    fleet.terminals.map((one, index) => one.journal.offers.get(offers[index] ?? '')?.result as Up['result'] | undefined);
  await until(() => results().every((one) => one !== undefined));
  return results() as Up['result'][];
};

test('a difference is applied to what a release brought before, and makes exactly the full package', async () => {
  const fleet = await fleetOf('DIFF', 5, { firmware: '0.9.0' });
  for (const one of await resultsOf(fleet, await offer(fleet, '1.0.0', 'full'))) expect(one).toMatchObject({ outcome: 'success' });
  expect(difference.length).toBeLessThan(100_000);
  for (const one of await resultsOf(fleet, await offer(fleet, '2.0.0', 'difference')))
    expect(one).toMatchObject({ outcome: 'success', version: '2.0.0', bytes: difference.length });
  for (const { journal } of fleet.terminals) {
    expect(journal.installs.map((one) => one.sha256)).toEqual([digest(first), digest(second)]);
    expect(journal.firmwareSha256).toBe(digest(second));
  }
});

test('on other bytes of the same version, or none at hand, it fails with the reason, and the full package helps', async () => {
  writeFileSync(join(folder, 'tampered'), Buffer.concat([Buffer.from([(first[0] as number) ^ 1]), first.subarray(1)]));
  for (const [seed, firmwareFile] of [
    ['TAMP', join(folder, 'tampered')],
    ['NONE', undefined],
  ] as const) {
    const fleet = await fleetOf(seed, 1, { firmware: '1.0.0', firmwareFile });
    expect(await resultsOf(fleet, await offer(fleet, '2.0.0', 'difference'))).toMatchObject([{ outcome: 'failure', reason: 'baseWrong' }]);
    expect(fleet.terminals[0]?.journal).toMatchObject({ firmware: '1.0.0', installs: [] });
    expect(await resultsOf(fleet, await offer(fleet, '2.0.0', 'full'))).toMatchObject([{ outcome: 'success' }]);
  }
  const other = await fleetOf('OTHR', 1, { firmware: '0.5.0' });
  expect(await resultsOf(other, await offer(other, '2.0.0', 'difference'))).toMatchObject([{ outcome: 'failure', reason: 'baseWrong' }]);
});

test('what waits for a restart is installed at the next one, once', async () => {
  const fleet = await fleetOf('REST', 1, { firmware: '1.0.0', firmwareFile: join(folder, 'first') });
  const [terminal] = fleet.terminals;
  const offers = await offer(fleet, '2.0.0', 'difference', 'restart');
  const phase = () =>
    plane.app.unscoped((db) =>
      db
        .selectFrom('gateway_outbox')
        .select('state')
        .where('key', '=', offers[0] ?? '')
        .executeTakeFirst(),
    );
  await until(async () => (await phase()) === undefined);
  await until(() => terminal?.agent()?.busy() === 1);
  expect(terminal?.journal).toMatchObject({ firmware: '1.0.0', installs: [] });
  const { id } = await deviceOf(terminal?.sn ?? '');
  const expiresAt = new Date(Date.now() + 3_600_000);
  await plane.app.unscoped((db) =>
    sendMessages(db, [{ deviceId: id, kind: 'command', key: 'restart-now', data: { command: 'reboot', params: {} }, expiresAt }]),
  );
  expect(await resultsOf(fleet, offers)).toMatchObject([{ outcome: 'success', version: '2.0.0' }]);
  expect(terminal?.journal.installs).toHaveLength(1);
  expect(terminal?.journal.firmwareSha256).toBe(digest(second));
});
