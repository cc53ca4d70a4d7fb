import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The log that the server of this folder keeps now; nothing where it never came so far. */
export function currentLog(folder: string): string {
  const current = join(folder, 'current_logfiles');
  if (!existsSync(current)) return '';
  const [, file] = readFileSync(current, 'utf8').trim().split(' ');
  return readFileSync(join(folder, file ?? ''), 'utf8').trim();
}
