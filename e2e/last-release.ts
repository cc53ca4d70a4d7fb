import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const { commit } = JSON.parse(readFileSync(join(root, 'database/last-release.json'), 'utf8')) as { commit: string };
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 30 });

/** A clone without history doesn't have it, nor does a tarball. */
export function hasLastRelease(): boolean {
  try {
    git('cat-file', '-e', `${commit}^{tree}`);
    return true;
  } catch {
    return false;
  }
}

/** The sources of the last release in a folder of their own, with the packages that are installed here and its own workspaces. */
export function unpackLastRelease(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-last-'));
  const tar = git('archive', '--format=tar', commit, 'contract', 'database', 'server', 'terminal', 'tools', 'web', 'package.json');
  execFileSync('tar', ['-x', '-C', folder], { input: tar });
  const packages = join(root, 'node_modules');
  mkdirSync(join(folder, 'node_modules', '@mooring'), { recursive: true });
  for (const name of readdirSync(packages).filter((one) => one !== '@mooring'))
    symlinkSync(join(packages, name), join(folder, 'node_modules', name));
  for (const name of ['contract', 'database', 'server', 'terminal'])
    symlinkSync(join(folder, name), join(folder, 'node_modules', '@mooring', name));
  return folder;
}
