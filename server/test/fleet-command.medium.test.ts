import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const fleet = join(import.meta.dirname, '../../terminal/src/fleet.ts');
let server: Server;
afterEach(() => new Promise((done) => server.close(done)));

/** A server that refuses in its own words; the answers in their order, the last one from then on. */
async function refusing(...answers: readonly (readonly [number, string])[]): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  server = createServer((request, answer) => {
    const [status, error] = request.url === '/d/nonce' ? [404, 'none'] : (answers[Math.min(asked++, answers.length - 1)] ?? [500, 'none']);
    answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}
async function start(url: string): Promise<{ code: number; said: string }> {
  const child = spawn(process.execPath, [fleet, '--server', url, '--count', '20', '--product', 'B7', '--code', 'X', '--state', '']);
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said += part.toString();
  });
  const [code] = (await once(child, 'exit')) as [number];
  return { code, said };
}

test.each([
  ['PRODUCT_UNKNOWN', 'No published product has the code "B7" here.'],
  ['CODE_WRONG', 'The enrolment code is wrong, expired or used up.'],
])('%s: one sentence that says what to do, and an end', async (error, words) => {
  const { url, asked } = await refusing([403, error]);
  const { code, said } = await start(url);
  expect([code, said.trim().split('\n').length]).toEqual([1, 1]);
  expect(said).toContain(words);
  expect(asked()).toBeLessThanOrEqual(8);
});

test('a server that is busy is asked again, later each time', async () => {
  const { url, asked } = await refusing(...Array.from({ length: 8 }, () => [429, 'TOO_MANY'] as const), [403, 'CODE_WRONG']);
  const before = performance.now();
  expect((await start(url)).code).toBe(1);
  expect(asked()).toBeGreaterThan(8);
  expect(performance.now() - before).toBeGreaterThan(1000);
});
