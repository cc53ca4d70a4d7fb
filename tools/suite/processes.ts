import { spawn } from 'node:child_process';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

export interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs Node on a script of the project or of a package, and waits. `show` lets its output through as it comes. */
export function runNode(argv: readonly string[], options: { show?: boolean; env?: NodeJS.ProcessEnv } = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, {
      cwd: root,
      env: { ...process.env, ...options.env },
      stdio: options.show ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text: Buffer) => {
        output += text;
      });
    }
    child.on('error', reject);
    child.on('exit', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** The script of a package, which a workspace's own folder may hold. */
export const packageScript = (...path: string[]): string => join(root, 'node_modules', ...path);
