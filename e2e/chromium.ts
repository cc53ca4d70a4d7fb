import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { cacheFolder } from '../tools/setup/environment.mjs';

export interface Chromium {
  readonly file: string;
  readonly env: Record<string, string>;
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const places = [
  ...names.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))),
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const starts = ({ file, env }: Chromium) =>
  spawnSync(file, ['--version'], { env: { ...process.env, ...env }, timeout: 20_000 }).status === 0;

/** Whose processor the package is made for. */
const isPackaged = process.platform === 'linux' && process.arch === 'x64';

/** The one inside the npm package, where it starts. */
function packaged(): Chromium | undefined {
  if (!isPackaged) return undefined;
  const folder = unpacked();
  const alone = { file: join(folder, 'chromium'), env: {} };
  // Machines without libnss3: the package brings it for a system that lacks it too.
  return [alone, { file: alone.file, env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } }].find(starts);
}

/**
 * `CHROMIUM`, or the one inside the npm package, or an installed one: nothing is downloaded. The packaged one draws no windows and is the same on
 * every machine; a desktop's takes a quarter more of the processor for the same pages.
 */
export function findChromium(): Chromium {
  const given = process.env.CHROMIUM;
  if (given) return { file: given, env: {} };
  const own = packaged();
  if (own) return own;
  const installed = places.find((place) => existsSync(place));
  if (installed) return { file: installed, env: {} };
  throw new Error('The packaged Chromium does not start here. Install Chromium or Chrome, or set CHROMIUM to one.');
}

/** The package's archives, unpacked once for each user; whole or not at all, also when several runs begin at once. */
function unpacked(): string {
  const require = createRequire(import.meta.url);
  const script = require.resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(script, '..', '..', 'package.json'), 'utf8')) as { version: string };
  const folder = join(cacheFolder(), `chromium-${version}-${process.getuid?.() ?? 'user'}`);
  if (existsSync(folder)) return folder;
  const next = `${folder}.${process.pid}`;
  mkdirSync(next, { recursive: true });
  try {
    // The package always unpacks to the temporary folder, so it gets one of its own.
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'unpack-chromium.ts')], {
      env: { ...process.env, TMPDIR: next },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`Chromium could not be unpacked: ${stderr}`);
    try {
      renameSync(next, folder);
    } catch (error) {
      // Another run was there before.
      if (!existsSync(folder)) throw error;
    }
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  return folder;
}
