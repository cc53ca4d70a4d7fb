import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { once } from './once.mjs';
import { root } from './root.mjs';

const built = join(root, 'web', 'dist');
const stampFile = join(built, '.inputs');

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = join(folder, entry.name);
    if (entry.name === 'node_modules' || entry.name.startsWith('.') || place === built) return [];
    if (entry.isDirectory()) return filesBelow(place);
    return /\.test\.tsx?$/.test(entry.name) ? [] : [place];
  });
}

/** By content and not by time: a fresh clone or an unpacked release has its own times. */
function inputs() {
  const hash = createHash('sha256');
  for (const file of [...filesBelow(join(root, 'web')), ...filesBelow(join(root, 'contract')), join(root, 'package-lock.json')].sort()) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

const bundler = join(root, 'node_modules', 'vite', 'bin', 'vite.js');

export function consoleIsFresh() {
  if (!existsSync(stampFile)) return false;
  // A release carries the built console and no bundler.
  return !existsSync(bundler) || readFileSync(stampFile, 'utf8') === inputs();
}

/** Builds beside and swaps, so that a running server never sees a half-written folder. */
export async function buildConsole(node, env, force = false) {
  if (!existsSync(bundler)) throw new Error('The web console is not built, and its bundler is not installed.');
  await once('console', force ? () => false : consoleIsFresh, async () => {
    const before = inputs();
    console.error('Building the web console ...');
    const next = join(root, '.cache', 'console-next');
    const old = join(root, '.cache', 'console-old');
    mkdirSync(join(root, '.cache'), { recursive: true });
    const code = await new Promise((resolve, reject) => {
      const argv = [bundler, 'build', '--outDir', next, '--emptyOutDir', '--logLevel', 'warn'];
      const child = spawn(node, argv, { cwd: join(root, 'web'), env: { ...env, NODE_ENV: 'production' }, stdio: ['ignore', 2, 2] });
      child.on('error', reject);
      child.on('exit', resolve);
    });
    if (code !== 0) throw new Error(`The web console could not be built (exit code ${code}).`);
    writeFileSync(join(next, '.inputs'), before);
    rmSync(old, { recursive: true, force: true });
    if (existsSync(built)) renameSync(built, old);
    renameSync(next, built);
    rmSync(old, { recursive: true, force: true });
  });
}
