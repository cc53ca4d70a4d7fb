import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Load } from '../measure.ts';
import { program } from './program.ts';

const MB = 1024 * 1024;

/** What was found, on one line of its own; microseconds become milliseconds. */
const said = `
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('FOUND %d %d %f %f %f %d\\n', summary.requests, summary.bytes, summary.duration / 1e6,
    latency:percentile(50) / 1e3, latency:percentile(95) / 1e3, e.connect + e.read + e.write + e.status + e.timeout))
end
`;

export interface WrkOptions {
  readonly clients: number;
  readonly seconds: number;
  /** Lua that sets `wrk.method` and the like, or makes each request. */
  readonly script: string;
}
export interface WrkLoad extends Load {
  readonly requests: number;
  readonly bytes: number;
}

/** So many clients, each asking again as soon as it was answered; a refused or broken answer ends the run. A C program takes little of the machine from who is measured. */
export async function wrk(url: string, { clients, seconds, script }: WrkOptions): Promise<WrkLoad> {
  const file = program('wrk');
  if (!file) throw new Error('wrk is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'mooring-bench-wrk-'));
  try {
    writeFileSync(join(folder, 'load.lua'), script + said);
    const args = ['-t', '1', '-c', String(clients), '-d', `${seconds}s`, '--timeout', '30s', '-s', join(folder, 'load.lua'), url];
    const { stdout } = await promisify(execFile)(file, args);
    const numbers = /FOUND (.+)/.exec(stdout)?.[1]?.split(' ').map(Number);
    const [requests = 0, bytes = 0, took = Number.NaN, p50 = Number.NaN, p95 = Number.NaN, errors = 0] = numbers ?? [];
    if (!numbers || errors > 0 || requests === 0) throw new Error(stdout);
    return { requests, bytes, rate: requests / took, p50, p95 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The addresses take turns, and each goes through the file, range after range. */
const ranges = (paths: readonly string[], parts: number) => `
local paths = { ${paths.map((path) => JSON.stringify(path)).join(', ')} }
local at, turn = {}, 0
request = function()
  turn = turn % #paths + 1
  local part = at[turn] or turn % ${parts}
  at[turn] = (part + 1) % ${parts}
  return wrk.format('GET', paths[turn], { Range = 'bytes=' .. part * ${MB} .. '-' .. (part + 1) * ${MB} - 1 })
end
`;

/** Ranges of 1 MB a second that so many clients at once got. */
export async function rangesASecond(
  url: string,
  { paths, parts, clients, seconds }: { paths: readonly string[]; parts: number; clients: number; seconds: number },
): Promise<number> {
  const found = await wrk(url, { clients, seconds, script: ranges(paths, parts) });
  const megabytes = found.bytes / MB;
  // Parts and nothing else: a server that sent the whole would look slow, one that sent nothing fast. Some are on their way at the end.
  if (!(megabytes > found.requests * 0.95 && megabytes < (found.requests + clients) * 1.05)) throw new Error(JSON.stringify(found));
  return found.rate;
}
