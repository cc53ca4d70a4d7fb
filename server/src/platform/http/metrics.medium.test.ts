import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFleet } from '@mooring/terminal/start-fleet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { estate, missingPrograms, type TestStack, testStack, until } from '../../modules/device/device.factory.ts';
import { counted } from '../counts.ts';
import { appFigures } from './app-figures.ts';

const TOKEN = 'a token of the one who scrapes';
const folder = join(import.meta.dirname, '../../../../packaging/monitoring');
let plane: TestStack;
beforeAll(async () => {
  plane = await testStack({ METRICS_TOKEN: TOKEN, TRUST_PROXY: '1' });
});
afterAll(() => plane.stop());
const scrape = (headers: Record<string, string> = {}) => fetch(`${plane.server}/metrics`, { headers });

test('terminals in contact, their requests and every figure of the server are there', async () => {
  const { code } = await plane.app.unscoped((db) => estate(db));
  const fleet = startFleet({ server: plane.server, count: 3, seed: 'MET', code, maxBackoffSeconds: 1 });
  try {
    await fleet.whenOnline(3);
    plane.app.counts.add('task_results', { kind: 'firmware', outcome: 'failure', reason: 'noSpace' });
    const missing = (of: string) => Number(/^mooring_figures_missing_total (\d+)$/m.exec(of)?.[1]);
    let before = 0;
    // A busy machine may miss a figure now and then; the scrape that counts missed none.
    const text = await until(async () => {
      const now = await (await scrape()).text();
      const isWhole = missing(now) === before;
      before = missing(now);
      return isWhole && /^mooring_terminals_connected 3$/m.test(now) ? now : undefined;
    });
    expect(text).toMatch(/^mooring_terminal_connections 3$/m);
    expect(text).toMatch(/^mooring_terminal_request_seconds_count\{path="\/d\/enrol",status="200"\} 3$/m);
    expect(text).toContain('mooring_task_results_total{kind="firmware",outcome="failure",reason="noSpace"} 1');
    expect(text).toMatch(/^mooring_certificate_ends_seconds\{certificate="deviceIssuer"\} 1\.\d+e\+8|\d{9}/m);
    for (const name of [...Object.keys(appFigures), ...Object.keys(counted).map((one) => `${one}_total`)])
      expect(text).toContain(`# TYPE mooring_${name} `);
  } finally {
    await fleet.stop();
  }
});

test('they are for this machine, and for who has the token', async () => {
  const elsewhere = { 'x-forwarded-for': '203.0.113.9' };
  expect((await scrape()).status).toBe(200);
  expect((await scrape(elsewhere)).status).toBe(404);
  expect((await scrape({ ...elsewhere, authorization: 'Bearer something else entirely' })).status).toBe(404);
  expect((await scrape({ ...elsewhere, authorization: `Bearer ${TOKEN}` })).status).toBe(200);
});

test('the dashboard and the alerts name only figures that there are', async () => {
  const text = await (await scrape()).text();
  const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map((found) => found[1]));
  const used = ['grafana-dashboard.json', 'alerts.yml'].flatMap((name) => [
    ...new Set([...readFileSync(join(folder, name), 'utf8').matchAll(/\b(mooring_\w+)\b/g)].map((found) => found[1] ?? '')),
  ]);
  expect(used.length).toBeGreaterThan(25);
  for (const name of used) expect([...known]).toContain(name.replace(/_(count|bucket|sum)$/, ''));
});

const has = missingPrograms('promtool').length === 0;
if (!has) process.stderr.write('skipped: promtool is not installed here (Debian: prometheus): figures and alerts are not checked by it\n');

test.runIf(has)('promtool finds nothing in the figures, and the alerts fire when they should', async () => {
  const text = (await (await scrape()).text()).replace(/^.*\bnodejs_[^\n]*\n/gm, '').replace(/^.*\bprocess_[^\n]*\n/gm, '');
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect([checked.status, checked.stdout + checked.stderr]).toEqual([0, '']);
  for (const args of [
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ])
    expect(execFileSync('promtool', args, { cwd: folder, encoding: 'utf8' })).toContain('SUCCESS');
});
