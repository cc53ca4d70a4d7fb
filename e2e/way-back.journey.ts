import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productCalls } from '@mooring/contract/product/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ADMIN, administrator, api, signIn } from './api.ts';
import { hasLastRelease, unpackLastRelease } from './last-release.ts';
import { runTool, type Server, serverOn, waitFor } from './stack.ts';

const there = hasLastRelease();
if (!there)
  process.stderr.write(
    'skipped: the last release is not in the history of this clone (git fetch --unshallow): the way back is not tried\n',
  );

describe.runIf(there)('an upgrade and the way back, with the last release itself', () => {
  let folder: string;
  let release: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mooring-way-back-'));
    release = unpackLastRelease();
  });
  afterAll(() => {
    for (const one of [folder, release]) rmSync(one, { recursive: true, force: true, maxRetries: 3 });
  });

  test('what either version wrote is there in the other, in both directions', async () => {
    const dataDir = join(folder, 'data');
    const old = await serverOn(dataDir, { main: join(release, 'server/src/main.ts') });
    const young = await serverOn(dataDir);
    const run = async <T>({ url, spawnServer }: typeof old, work: (url: string, server: Server) => Promise<T>): Promise<T> => {
      const server = spawnServer();
      const early = server.ended.then((code) => {
        throw new Error(`the server ended with ${code}:\n${server.output()}`);
      });
      early.catch(() => {});
      try {
        await Promise.race([waitFor(() => server.output().includes('Mooring is ready'), 'the server'), early]);
        return await work(url, server);
      } finally {
        server.child.kill('SIGTERM');
        await server.ended;
      }
    };
    const manager = async (url: string) => api(url, await signIn(url, 'admin', ADMIN, 'manager'), 'manager', 1);
    const add = async (url: string, code: string) =>
      (await manager(url)).call(productCalls.add, { code, name: `Product ${code}`, category: 'smartPos', packageKinds: ['firmware'] });
    const codes = async (url: string) => (await (await manager(url)).call(productCalls.page, {})).content.map(({ code }) => code).sort();

    await run(old, async (url, server) => {
      const password = await waitFor(() => /First sign-in: admin \/ (\S+)/.exec(server.output())?.[1], 'the first password');
      await administrator(url, password);
      await add(url, 'OLD1');
    });
    await run(young, async (url) => void (await add(url, 'NEW1')));

    // As it was released it takes what it doesn't know for corruption, and stops.
    expect(await old.spawnServer().ended).not.toBe(0);

    const { code, output } = await runTool('roll-back', [release], { DATA_DIR: dataDir });
    expect([code, output]).toEqual([0, expect.stringContaining('Put aside: 00')]);
    await run(old, async (url) => {
      expect(await codes(url)).toEqual(['NEW1', 'OLD1']);
      await add(url, 'OLD2');
    });
    await run(young, async (url) => expect(await codes(url)).toEqual(['NEW1', 'OLD1', 'OLD2']));
  });
});
