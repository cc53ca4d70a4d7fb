import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { cacheFolder } from './environment.mjs';

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Owner of a lock folder; its file is written right after the folder, so an empty one is given a moment. */
function ownerOf(lock) {
  try {
    return Number(readFileSync(join(lock, 'pid'), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Does the work unless it is done; two commands typed at once do it once.
 * @param {string} name @param {() => boolean} isDone @param {() => Promise<void>} work
 */
export async function once(name, isDone, work) {
  const lock = join(cacheFolder(), `${name}.lock`);
  mkdirSync(cacheFolder(), { recursive: true });
  for (let waits = 0; !isDone(); waits += 1) {
    try {
      mkdirSync(lock);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const owner = ownerOf(lock);
      if (owner === undefined ? waits > 20 : !isAlive(owner)) rmSync(lock, { recursive: true, force: true });
      else if (waits === 1) console.error(`Waiting for another command (process ${owner}) that does this already: ${name}.`);
      await setTimeout(200);
      continue;
    }
    writeFileSync(join(lock, 'pid'), String(process.pid));
    try {
      if (!isDone()) await work();
      return;
    } finally {
      rmSync(lock, { recursive: true, force: true });
    }
  }
}
