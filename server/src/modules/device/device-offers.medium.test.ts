import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Up } from '@mooring/contract/device/messages';
import { failingAmong } from '@mooring/terminal/flaws';
import { type Fleet, startFleet } from '@mooring/terminal/start-fleet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diskStore } from '../../platform/files/disk-store.ts';
import { fileUrl } from '../../platform/gateway/file-token.ts';
import { loadReleaseKeys } from '../../platform/gateway/release-keys.ts';
import { sendMessages } from '../../platform/gateway/send-messages.ts';
import { brokers, estate, type TestStack, testStack, until } from './device.factory.ts';

describe.each(brokers)('%s broker', (kind) => {
  let plane: TestStack;
  let fleet: Fleet;
  let sha256: string;
  const bytes = randomBytes(3 * 1024 * 1024);
  const COUNT = 40;
  const FLAKY = 20;

  const resultOf = (index: number, offer: string) => fleet.terminals[index]?.journal.offers.get(offer)?.result as Up['result'] | undefined;

  /** An offer to each of these terminals, as the rollout engine would make it. */
  async function offer(
    attempt: number,
    indexes: readonly number[],
    change: { version?: string; sha256?: string; product?: string; retries?: number } = {},
  ): Promise<void> {
    const keys = await loadReleaseKeys(plane.app);
    const version = change.version ?? '2.0.0';
    const { manifest, signature } = keys.sign({ product: 'A920', kind: 'TA', version, base: null, size: bytes.length, sha256 });
    const devices = await plane.app.unscoped((db) => db.selectFrom('device').select(['id', 'sn']).where('sn', 'like', 'VOFF-%').execute());
    const expiresAt = new Date(Date.now() + 3_600_000);
    await plane.app.unscoped((db) =>
      sendMessages(
        db,
        devices
          .filter((one) => indexes.some((index) => one.sn === fleet.terminals[index]?.sn))
          .map((one) => ({
            deviceId: one.id,
            kind: 'offer' as const,
            key: `${one.sn}:${attempt}`,
            expiresAt,
            data: {
              offer: `${one.sn}:${attempt}`,
              kind: 'firmware',
              package: { ...manifest, ...(change.product ? { product: change.product } : {}), signature },
              releaseKey: keys.key,
              url: fileUrl(plane.app.masterKey, { sn: one.sn, sha256, expiresAt }),
              retries: { times: 3, waitSeconds: 1 },
            },
          })),
      ),
    );
  }
  const ended = async (attempt: number, indexes: readonly number[]) => {
    await until(() => indexes.every((index) => resultOf(index, `${fleet.terminals[index]?.sn}:${attempt}`) !== undefined));
    return indexes.map((index) => resultOf(index, `${fleet.terminals[index]?.sn}:${attempt}`) as Up['result']);
  };

  beforeAll(async () => {
    plane = await testStack({}, kind);
    const { code } = await plane.app.unscoped((db) => estate(db));
    const store = diskStore(`${plane.dataDir}/blobs`);
    ({ sha256 } = await store.put(Readable.from([bytes])));
    fleet = startFleet({
      server: plane.server,
      count: COUNT,
      seed: 'OFF',
      code,
      flaky: FLAKY,
      maxBackoffSeconds: 1,
      bootSeconds: 0.05,
      installSeconds: 0.05,
    });
    await fleet.whenOnline(COUNT);
    await until(
      async () =>
        (await plane.app.unscoped((db) => db.selectFrom('device').select('id').where('status', '=', '3').execute())).length === COUNT,
    );
  });
  afterAll(async () => {
    await fleet.stop();
    await plane.stop();
  });

  test('forty terminals, twenty of them flaky: ten fail with their reasons, the others run the file byte by byte', async () => {
    const all = fleet.terminals.map((_, index) => index);
    await offer(1, all);
    const results = await ended(1, all);
    const failed = results.filter((one) => one.outcome === 'failure');
    expect(failed).toHaveLength(failingAmong(FLAKY));
    expect(new Set(failed.map((one) => one.reason))).toEqual(new Set(['hashWrong', 'installFailed', 'powerLost', 'noSpace', 'batteryLow']));
    const digest = createHash('sha256').update(bytes).digest('hex');
    for (const one of results.filter((result) => result.outcome === 'success'))
      expect(one).toMatchObject({ sha256: digest, version: '2.0.0', bytes: bytes.length });

    const again = all.filter((index) => results[index]?.outcome === 'failure');
    await offer(2, again);
    for (const one of await ended(2, again)) expect(one.outcome).toBe('success');
    for (const terminal of fleet.terminals) {
      expect(terminal.journal.firmware).toBe('2.0.0');
      expect(terminal.journal.installs).toHaveLength(1);
      expect(terminal.journal.installs[0]?.sha256).toBe(digest);
    }
    await until(
      async () =>
        (await plane.app.unscoped((db) => db.selectFrom('device').select('id').where('firmware', '=', '2.0.0').execute())).length === COUNT,
    );
    await until(
      async () =>
        (await plane.app.unscoped((db) => db.selectFrom('gateway_outbox').select('id').where('topic', '=', 'offer').execute())).length ===
        0,
    );
    await until(() => fleet.terminals.every((one) => one.journal.unsent.size === 0));
  });

  test('what is not signed for this product, or is older, is not installed', async () => {
    await offer(3, [30], { version: '1.5.0' });
    expect(await ended(3, [30])).toMatchObject([{ outcome: 'failure', reason: 'downgradeRefused' }]);
    await offer(4, [31], { version: '3.0.0', product: 'Q80' });
    expect(await ended(4, [31])).toMatchObject([{ outcome: 'failure', reason: 'productWrong' }]);
    expect(fleet.terminals[30]?.journal.installs).toHaveLength(1);
    expect(fleet.terminals[31]?.journal.installs).toHaveLength(1);
  });

  test('the server dies in the middle, and the broker too: every terminal ends with one result, and none installs twice', async () => {
    const some = [32, 33, 34, 35, 36, 37, 38, 39];
    await offer(5, some, { version: '2.1.0' });
    await until(() => some.some((index) => fleet.terminals[index]?.journal.offers.has(`${fleet.terminals[index]?.sn}:5`)));
    await plane.restart();
    await plane.broker?.kill();
    for (const one of await ended(5, some)) expect(one.outcome).toBe('success');
    for (const index of some) expect(fleet.terminals[index]?.journal.installs.filter((one) => one.version === '2.1.0')).toHaveLength(1);
    await until(() => some.every((index) => fleet.terminals[index]?.journal.unsent.size === 0));
  });

  const onOutsideBroker = kind === 'mosquitto' ? test : undefined;
  onOutsideBroker?.('two processes on one database and one broker share the work, and nothing is done twice', async () => {
    const stopSecond = await plane.second();
    try {
      const some = fleet.terminals
        .map((_, index) => index)
        .filter((index) => index % 2 === 1 && fleet.terminals[index]?.flaw === undefined);
      await offer(6, some, { version: '2.2.0' });
      for (const one of await ended(6, some)) expect(one.outcome).toBe('success');
      for (const index of some) expect(fleet.terminals[index]?.journal.installs.filter((one) => one.version === '2.2.0')).toHaveLength(1);
      await until(() => fleet.terminals.every((one) => one.journal.unsent.size === 0));
      const left = () => plane.app.unscoped((db) => db.selectFrom('gateway_outbox').select('id').where('topic', '=', 'offer').execute());
      await until(async () => (await left()).length === 0);
    } finally {
      await stopSecond();
    }
  });
});
