import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localCertificate } from '../src/platform/config/local-certificate.ts';

const agent = join(import.meta.dirname, '../../terminal/src/main.ts');
const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [agent, ...args], { encoding: 'utf8' });
  return [status, stdout.split('\n')[0], stderr.split('\n')[0]];
};

let server: Server;
let asked = 0;
const folder = mkdtempSync(join(tmpdir(), 'mooring-agent-'));
beforeAll(async () => {
  server = createServer(await localCertificate(folder, '127.0.0.1'), (_request, answer) => {
    asked += 1;
    answer.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"codeUnknown"}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  await new Promise((done) => server.close(done));
  rmSync(folder, { recursive: true });
});

test('the agent says its options, and what is wrong with those that it was given', () => {
  expect(run('--help')).toEqual([0, expect.stringContaining('The agent of one terminal'), '']);
  expect(run('--nope')).toEqual([2, '', expect.stringContaining("Unknown option '--nope'")]);
  expect(run('--server', 'https://tms.example.com', '--sn', 'A1')).toEqual([2, '', expect.stringContaining('--product is missing')]);
});

/** What it says first. */
async function firstWord(...more: string[]): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const args = ['--server', `https://127.0.0.1:${port}`, '--sn', 'A1', '--product', 'A920', '--code', 'X', '--data', join(folder, 'data')];
  const child = spawn(process.execPath, [agent, ...args, ...more]);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill();
  await once(child, 'exit');
  return said.toString();
}

test('an authority of the installation’s own is trusted by its file, and not otherwise', async () => {
  expect(await firstWord()).toContain('refused');
  expect(asked).toBe(0);
  expect(await firstWord('--ca', join(folder, 'local-tls.crt'))).toContain('refused');
  expect(asked).toBeGreaterThan(0);
});
