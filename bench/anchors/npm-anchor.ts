import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from '../../tools/setup/install.mjs';

const cache = join(import.meta.dirname, '..', '..', '.cache', 'bench', 'anchors');

/**
 * The folder where an anchor's packages are installed, on first use, as its own lock file says and without install scripts; undefined
 * where the registry or this machine doesn't have them. `build` makes what an install script would have made.
 */
export async function npmAnchor(name: string, build: (folder: string) => void = () => {}): Promise<string | undefined> {
  const from = join(import.meta.dirname, name);
  const folder = join(cache, name);
  const stamp = join(folder, 'installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(from, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  console.log(`installing ${name}, the first time only ...`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(from, file), join(folder, file));
  try {
    const code = await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], folder);
    if (code !== 0) throw new Error(`npm ended with ${code}`);
    build(folder);
  } catch (error) {
    console.error(`${name} can't be installed here: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
  writeFileSync(stamp, wanted);
  return folder;
}
