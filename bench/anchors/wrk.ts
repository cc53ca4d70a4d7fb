import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { program } from './program.ts';

const MB = 1024 * 1024;

/** The addresses take turns, and each goes through the file, range after range. */
const script = (paths: readonly string[], parts: number) => `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local at, turn = {}, 0
request = function()
  turn = turn % #paths + 1
  local part = at[turn] or turn % ${parts}
  at[turn] = (part + 1) % ${parts}
  return wrk.format('GET', paths[turn], { Range = 'bytes=' .. part * ${MB} .. '-' .. (part + 1) * ${MB} - 1 })
end
`;

/** Ranges of 1 MB a second that so many clients at once got; a refused or broken one ends the run. */
export async function rangesASecond(
  url: string,
  { paths, parts, clients, seconds }: { paths: readonly string[]; parts: number; clients: number; seconds: number },
): Promise<number> {
  const file = program('wrk');
  if (!file) throw new Error('wrk is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'mooring-bench-wrk-'));
  try {
    writeFileSync(join(folder, 'ranges.lua'), script(paths, parts));
    const args = ['-t', '1', '-c', String(clients), '-d', `${seconds}s`, '--timeout', '30s', '-s', join(folder, 'ranges.lua'), url];
    const { stdout } = await promisify(execFile)(file, args);
    if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
    const [, requests, read, unit] = /(\d+) requests in [\d.]+s, ([\d.]+)(MB|GB) read/.exec(stdout) ?? [];
    const answered = Number(requests);
    const megabytes = Number(read) * (unit === 'GB' ? 1024 : 1);
    // Parts and nothing else: a server that sent the whole would look slow, one that sent nothing fast. Some are on their way at the end.
    if (!(megabytes > answered * 0.95 && megabytes < (answered + clients) * 1.05)) throw new Error(stdout);
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
