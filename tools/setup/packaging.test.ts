import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../suite/processes.ts';

const place = (name: string) => join(root, 'packaging', name);
const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' });
const isHere = analyze('--version').status === 0;
if (!isHere) process.stderr.write('skipped: units, because systemd-analyze is not installed\n');

describe.skipIf(!isHere)('units of systemd', () => {
  test('each is understood as a whole', () => {
    const units = ['mooring.service', 'mooring-backup.service', 'mooring-backup.timer'].map(place);
    const { status, stdout, stderr } = analyze('verify', ...units);
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });

  test.each(['mooring.service', 'mooring-backup.service'])('%s is shut in: systemd’s own measure calls it OK', (name) => {
    // The measure counts in tenths: 30 is what it calls 3.0.
    const { status, stdout } = analyze('security', '--offline=yes', '--threshold=30', place(name));
    expect(stdout).toContain('Overall exposure level');
    expect([stdout.split('\n').findLast((line) => line.includes('Overall')), status]).toEqual([expect.stringMatching(/ OK /), 0]);
  });
});

test('the image has a base of one version, a user of its own, and says how it is', () => {
  const lines = readFileSync(place('Dockerfile'), 'utf8').split('\n');
  const of = (word: string) => lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
  expect(of('FROM')).toEqual([expect.stringMatching(/^[a-z]+:\d+\.\d+-slim(@sha256:[0-9a-f]{64})?$/)]);
  expect([of('USER'), of('VOLUME')]).toEqual([['mooring'], ['/data']]);
  expect(of('HEALTHCHECK')).toEqual([expect.stringContaining('packaging/health.mjs')]);
  // As the first process: a shell before it would keep the signals that stop it.
  expect(of('ENTRYPOINT')).toEqual(['["node", "tools/run.mjs"]']);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  expect(lines.join('\n')).toContain(`mooring-${version}-linux-x64.tar.gz`);
});
