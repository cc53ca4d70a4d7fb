import { accessSync, constants, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from './root.mjs';

/** @param {string} folder */
export function isWritable(folder) {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where derived files may lie: beside the sources, or in the temporary folder where those are read-only for this user. */
export function cacheFolder() {
  const beside = join(root, '.cache');
  if (isWritable(beside)) return beside;
  return join(tmpdir(), `mooring-cache-${process.getuid?.() ?? 'user'}`);
}

/** @param {string} node */
export function childEnv(node) {
  const path = process.env.PATH ?? '';
  return {
    ...process.env,
    PATH: path ? `${dirname(node)}${delimiter}${path}` : dirname(node),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(cacheFolder(), 'node-compile'),
    // File reads, hashing and password checks share these threads.
    UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? '16',
    // Without it glibc keeps a heap for each of those threads, and gives none of them back: 8 MB of a server at rest.
    MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
  };
}
