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

/** `CHROMIUM`, or an installed one, or the one inside the npm package: nothing is downloaded. */
export function findChromium(): Chromium {
  const given = process.env.CHROMIUM;
  const installed = given ?? places.find((place) => existsSync(place));
  if (installed) return { file: installed, env: {} };
  const folder = unpacked();
  const alone = { file: join(folder, 'chromium'), env: {} };
  if (starts(alone)) return alone;
  // Machines without libnss3: the package brings it for a system that lacks it too.
  const aided = { file: alone.file, env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } };
  if (starts(aided)) return aided;
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
    if (!existsSync(folder)) renameSync(next, folder);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  return folder;
}
