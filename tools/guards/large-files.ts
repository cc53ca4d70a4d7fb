import { spawnSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { filePaths, root } from './source-files.ts';

export interface Sized {
  readonly path: string;
  readonly bytes: number;
}

const MOST = 1024 ** 2;
/** Files that may be larger, each with its reason. What is larger stays in everybody's clone for good. */
const mayBeLarge: Readonly<Record<string, string>> = {
  'docs/api/openapi.json': 'every call of other systems with all that it takes and answers, a line each',
  'server/fonts/han.ttf': 'Chinese in documents that are made here: nothing is fetched, and only what is used of it goes into each',
};

/** What everybody's clone brings. A release has no git: there it is all that lies in its folder. */
export function trackedFiles(): Sized[] {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  const paths = status === 0 ? stdout.split('\0').filter(Boolean) : filePaths();
  return paths.flatMap((path) => {
    // One that is being deleted is listed until it is committed.
    const found = lstatSync(join(root, path), { throwIfNoEntry: false });
    return found ? [{ path, bytes: found.size }] : [];
  });
}

export const largeFaults = (files: readonly Sized[], allowed = mayBeLarge): string[] => [
  ...files
    .filter(({ path, bytes }) => bytes > MOST && !Object.hasOwn(allowed, path))
    .map(({ path, bytes }) => `${path} has ${bytes} bytes; ${MOST} are the most`),
  ...Object.keys(allowed)
    .filter((path) => !files.some((one) => one.path === path && one.bytes > MOST))
    .map((path) => `${path} is said to be large, and is not`),
];
