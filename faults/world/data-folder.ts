import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const SIZE = '8g';

/** A data folder on a disk of its own that can be full, where this account may make one; else a folder. */
export function makeDataFolder() {
  const place = mkdtempSync(join(tmpdir(), 'mooring-faults-'));
  const path = join(place, 'data');
  mkdirSync(path, { mode: 0o755 });
  const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'ignore' });
  let isMounted = false;
  try {
    mount('-t', 'tmpfs', '-o', `size=${SIZE},mode=755`, 'tmpfs', path);
    isMounted = true;
  } catch {
    // No root: this campaign has no full disk.
  }
  const usedKb = () => {
    const { blocks, bfree, bsize } = statfsSync(path);
    return Math.ceil(((blocks - bfree) * bsize) / 1024);
  };
  return {
    path,
    place,
    disk: isMounted
      ? {
          /** Hardly a byte more than there is. What is written meanwhile makes a size too small before it is set. */
          fill() {
            for (let spareKb = 0; ; spareKb = 2 * spareKb + 64) {
              try {
                return void mount('-o', `remount,size=${usedKb() + spareKb}k`, path);
              } catch (error) {
                if (spareKb > 100_000) throw error;
              }
            }
          },
          free: () => mount('-o', `remount,size=${SIZE}`, path),
        }
      : undefined,
    remove() {
      if (isMounted) execFileSync('umount', ['-l', path], { stdio: 'ignore' });
      rmSync(place, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
