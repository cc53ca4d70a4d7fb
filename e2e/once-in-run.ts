import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const LONGEST_MS = 300_000;

/** Made by whichever journey of a run wants it first; the others wait for it. What is made is told as JSON, and goes with the run's folder. */
export async function onceInRun<T>(name: string, make: () => Promise<T>): Promise<T> {
  // A worker's temporary folder is the run's.
  const place = join(tmpdir(), `once-${name}`);
  const made = `${place}.json`;
  const read = () => JSON.parse(readFileSync(made, 'utf8')) as T;
  if (existsSync(made)) return read();
  try {
    mkdirSync(place);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const until = Date.now() + LONGEST_MS;
    while (!existsSync(made)) {
      if (Date.now() > until) throw new Error(`whoever makes ${name} isn’t done with it`);
      await setTimeout(100);
    }
    return read();
  }
  const value = await make();
  writeFileSync(`${made}.new`, JSON.stringify(value));
  renameSync(`${made}.new`, made);
  return value;
}
