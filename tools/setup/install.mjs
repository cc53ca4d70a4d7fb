import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder, isWritable } from './environment.mjs';
import { once } from './once.mjs';
import { root } from './root.mjs';

const modules = join(root, 'node_modules');
const stampFile = join(modules, '.mooring-installed');

/** What a matching installation was made from. */
function installStamp() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}\n`;
}

const readText = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
const hasStamp = () => readText(stampFile) === installStamp();

/** Whether npm itself, called by hand, left exactly what the lock file wants. */
function matchesLock() {
  const installed = readText(join(modules, '.package-lock.json'));
  if (!installed) return false;
  const there = JSON.parse(installed).packages;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).every(([place, wants]) => {
    if (!place.includes('node_modules/') || wants.link) return true;
    const has = there[place];
    if (!has) return wants.optional === true && !isForHere(wants);
    return has.version === wants.version && existsSync(join(root, place, 'package.json'));
  });
}

/** The npm form of a limit: 'linux', ['linux', 'darwin'] or ['!win32']. */
function allows(limit, value) {
  const list = [limit ?? []].flat();
  return !list.includes(`!${value}`) && (list.includes(value) || list.every((one) => one.startsWith('!')));
}
/** npm leaves out optional packages of other machines, and those that need another C library. */
const isForHere = (wants) =>
  allows(wants.os, process.platform) && allows(wants.cpu, process.arch) && !wants.libc && Boolean(wants.os ?? wants.cpu);

/** @param {string} [file] */
export function writeStamp(file = stampFile) {
  try {
    writeFileSync(file, installStamp());
  } catch {
    // Read-only for this user: compared anew the next time.
  }
}

/** Installs or repairs node_modules. No install script of a package is run. */
export async function ensureInstalled() {
  if (hasStamp()) return;
  if (matchesLock()) return writeStamp();
  await once('install', hasStamp, async () => {
    console.error(
      existsSync(modules) ? 'Dependencies changed: installing them again ...' : 'Installing dependencies, the first time only ...',
    );
    const code = await npm([
      'ci',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      '--include=dev',
      '--include=optional',
      '--loglevel=error',
    ]);
    if (code !== 0) {
      throw new Error(
        `npm could not install the dependencies (exit code ${code}). The first start needs the package registry once; is this machine offline, or ${root} not writable?`,
      );
    }
    writeStamp();
  });
}

/** @param {string[]} args @param {string} [cwd] @param {number} [out] what it prints goes there @returns {Promise<number>} */
export function npm(args, cwd = root, out = 2) {
  const cli = process.env.npm_execpath;
  const known = cli && /npm-cli\.(c|m)?js$/.test(cli) && existsSync(cli);
  const [file, argv] = known ? [process.execPath, [cli, ...args]] : ['npm', args];
  const cache = process.env.npm_config_cache ?? join(homedir(), '.npm');
  const env = isWritable(cache) ? process.env : { ...process.env, npm_config_cache: join(cacheFolder(), 'npm') };
  return new Promise((resolve, reject) => {
    const child = spawn(file, argv, { cwd, env, stdio: ['ignore', out, 2], shell: !known && process.platform === 'win32' });
    child.on('error', (error) => reject(new Error(`npm does not start: ${error.message}`)));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
