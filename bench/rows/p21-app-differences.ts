import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeApk } from '@mooring/apk/apk.factory';
import { runChild } from '../../server/src/engines/rollout/differences/run-child.ts';
import { program } from '../anchors/program.ts';
import { atMost, below, type Figure, missing, type Row, reported } from '../row.ts';

const MOST_SECONDS = 30;
const folder = join(import.meta.dirname, '../../.cache/bench/apps');
const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Two successive versions of an Android package that npm carries. */
const pairs = [
  ['io.appium.settings', '8.0.9', '8.0.10', 'settings_apk-debug.apk'],
  ['appium-uiautomator2-server', '10.6.4', '10.6.6', 'appium-uiautomator2-server-v*.apk'],
] as const;

/** A native library that apps carry, of two successive releases. */
const NATIVE = ['@img/sharp-libvips-linux-arm64', '1.2.3', '1.2.4'] as const;

/** What npm carries under a name, unpacked for as long as it is read. */
async function unpacked<T>(name: string, version: string, read: (at: string) => T | Promise<T>): Promise<T> {
  const at = join(folder, 'unpacked');
  mkdirSync(at, { recursive: true });
  try {
    execFileSync('npm', ['pack', `${name}@${version}`, '--silent', '--ignore-scripts'], { cwd: at, stdio: 'ignore' });
    const [archive = ''] = globSync('*.tgz', { cwd: at });
    execFileSync('tar', ['-xzf', archive], { cwd: at });
    return await read(join(at, 'package'));
  } finally {
    rmSync(at, { recursive: true });
  }
}

async function packageOf(name: string, version: string, file: string): Promise<string> {
  const path = join(folder, `${name}-${version}.apk`);
  if (!existsSync(path))
    await unpacked(name, version, (at) => {
      const [found = ''] = globSync(`apks/${file}`, { cwd: at });
      copyFileSync(join(at, found), path);
    });
  return path;
}

async function nativeApp(version: string): Promise<string> {
  const [name] = NATIVE;
  const path = join(folder, `native-${version}.apk`);
  if (!existsSync(path))
    await unpacked(name, version, async (at) => {
      const [library = ''] = globSync('lib/*.so*', { cwd: at });
      const files = { 'lib/arm64-v8a/libvips.so': readFileSync(join(at, library)) };
      writeFileSync(path, await makeApk({ packageName: 'com.bench.pictures', versionName: version, files }));
    });
  return path;
}

async function measure(name: string, base: string, full: string, bsdiff: string): Promise<Figure[]> {
  const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
  // Unpacked in their places: copies, as the server’s are.
  const [from, to] = [join(folder, 'base'), join(folder, 'full')];
  const sums = { baseSha256: digest(base), fullSha256: digest(full), fullSize: statSync(full).size };
  const inChild = async (act: 'make' | 'apply') => {
    copyFileSync(base, from);
    copyFileSync(full, to);
    const began = performance.now();
    const end = await runChild({ form: 'entries', act, base: from, full: to, diff: ours, ...sums }, new AbortController().signal, () => {});
    if (!end || 'failed' in end) throw new Error(`${act}: ${end ? `${end.failed} ${end.message ?? ''}` : 'called off'}`);
    return (performance.now() - began) / 1000;
  };
  const made = await inChild('make');
  execFileSync(bsdiff, [base, full, theirs], { stdio: 'ignore' });
  return [
    atMost(`${name}: size`, statSync(ours).size, statSync(theirs).size, 0.2, 'bytes'),
    below(`${name}: time`, made, MOST_SECONDS, 's'),
    reported(`${name}: of the full package`, (statSync(ours).size / sums.fullSize) * 100, '%'),
    reported(`${name}: tried out`, await inChild('apply'), 's'),
  ];
}

/** Differences of apps over what is in their packages, made as the server makes them, beside `bsdiff` over the packages as they are. */
export const p21: Row = {
  id: 'P21',
  work: 'differences of three pairs of successive Android packages over their contents, the hashing of both included',
  async run() {
    const bsdiff = program('bsdiff');
    if (!bsdiff) return [missing('size and time', Number.NaN, 'bytes', 'bsdiff')];
    mkdirSync(folder, { recursive: true });
    const figures: Figure[] = [];
    for (const [name, older, newer, file] of pairs) {
      const [base, full] = [await packageOf(name, older, file), await packageOf(name, newer, file)];
      figures.push(...(await measure(`${name} ${older} → ${newer}`, base, full, bsdiff)));
    }
    const [, older, newer] = NATIVE;
    const libvips = await measure(`an app with libvips ${older} → ${newer}`, await nativeApp(older), await nativeApp(newer), bsdiff);
    return [...figures, ...libvips];
  },
};
