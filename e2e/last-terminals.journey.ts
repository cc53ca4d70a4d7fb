import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { deviceCalls } from '@mooring/contract/device/calls';
import { packageCalls } from '@mooring/contract/firmware/package-calls';
import { taskCalls } from '@mooring/contract/firmware/task-calls';
import { modulePackageCalls, moduleTaskCalls } from '@mooring/contract/module/calls';
import { releaseKinds } from '@mooring/contract/release-kinds';
import type { isSigned } from '@mooring/terminal/verify-package';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signedOffer, withTerminal } from '../terminal/src/signed-offer.factory.ts';
import { ADMIN, type Api, administrator } from './api.ts';
import { makeEstate, uploadFile, uploadFirmware } from './estate.ts';
import { hasLastRelease, unpackLastRelease } from './last-release.ts';
import { addPublished } from './published.ts';
import { type Stack, startStack, waitFor } from './stack.ts';

const there = hasLastRelease();
if (!there)
  process.stderr.write(
    'skipped: the last release is not in the history of this clone (git fetch --unshallow): its terminals are not tried\n',
  );

/** Terminals in the field are as old as they are: those of the last release, on today’s server. */
describe.runIf(there)('terminals of the last release', () => {
  const TERMINALS = 3;
  let stack: Stack;
  let admin: Api;
  let productId: number;
  let released: string;
  let fleet: ChildProcess;

  beforeAll(async () => {
    released = unpackLastRelease();
    stack = await startStack();
    admin = await administrator(stack.url, stack.password);
    const estate = await makeEstate(stack.url, admin, ADMIN, TERMINALS);
    ({ productId } = estate);
    const options = { server: stack.url, count: TERMINALS, code: estate.code, seed: 'old', state: '', speed: 10_000_000 };
    const argv = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    fleet = spawn(process.execPath, [join(released, 'terminal/src/fleet.ts'), ...argv], { stdio: 'ignore' });
    await waitFor(
      async () => (await admin.call(deviceCalls.counts)).byStatus['3'] === TERMINALS,
      'the terminals of the last release to be online',
      120,
    );
  });
  afterAll(async () => {
    if (fleet && fleet.exitCode === null) await new Promise((ended) => fleet.once('exit', ended).kill());
    await stack?.stop();
    rmSync(released, { recursive: true, force: true, maxRetries: 3 });
  });
  const versions = async () => (await admin.call(deviceCalls.page, {})).content.map(({ firmware }) => firmware);

  test('take firmware, and say what they run', async () => {
    const fileId = await uploadFirmware(stack.url, ADMIN, randomBytes(40_000));
    const packageId = await addPublished(admin, packageCalls, { productId, version: '2.0.0', fileId });
    const { id } = await admin.call(taskCalls.add, { name: 'Old ones too', packageId, scope: { releaseScope: '0' }, release: true });
    await waitFor(async () => (await admin.call(taskCalls.detail, { id })).state === 'finished', 'the release to end', 120);
    expect((await admin.call(taskCalls.detail, { id })).tally).toEqual({ '3': TERMINALS });
    expect(await versions()).toEqual(Array(TERMINALS).fill('2.0.0'));
  });

  test('aren’t sent a kind that they don’t know', async () => {
    const bytes = Buffer.concat([Buffer.from('504b0304', 'hex'), randomBytes(4000)]);
    const fileId = await uploadFile(stack.url, ADMIN, '6', 'sp.zip', bytes);
    const packageId = await addPublished(admin, modulePackageCalls, { productId, version: '9.0.0', fileId, name: 'sp' });
    const preview = await admin.call(moduleTaskCalls.preview, { packageId, scope: { releaseScope: '0' } });
    expect(preview).toMatchObject({ matched: 0 });
    expect(await versions()).toEqual(Array(TERMINALS).fill('2.0.0'));
  });

  test('take nothing else for firmware: its signature isn’t right to them', async () => {
    const last = (await import(join(released, 'terminal/src/verify-package.ts'))) as { isSigned: typeof isSigned };
    const takes = (of: object) =>
      withTerminal('OLD00001', ({ releaseRoot }) =>
        last.isSigned(signedOffer('firmware', of) as Parameters<typeof isSigned>[0], releaseRoot),
      );
    expect(takes({})).toBe(true);
    for (const { kind } of releaseKinds.filter((one) => one.kind !== 'firmware'))
      expect([kind, takes({ content: kind }), takes({ content: kind, name: 'sp' })]).toEqual([kind, false, false]);
  });
});
