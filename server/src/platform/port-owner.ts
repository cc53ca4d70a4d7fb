import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface PortOwner {
  readonly pid: number;
  readonly command: string;
}

const listening = '0A';

/** Socket inodes that listen on the port, from the kernel's tables. */
function inodesOn(port: number): Set<string> {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const found = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of readLines(table)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === listening && local?.endsWith(`:${wanted}`) && inode) found.add(`socket:[${inode}]`);
    }
  }
  return found;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(1);
  } catch {
    return [];
  }
}

function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`));
      } catch {
        return false;
      }
    });
  } catch {
    // Another user's process, or one that has just ended.
    return false;
  }
}

/** Who listens on a port, as far as this system tells this user. */
export function portOwner(port: number): PortOwner | undefined {
  if (process.platform !== 'linux') return undefined;
  const sockets = inodesOn(port);
  if (sockets.size === 0) return undefined;
  const pid = readdirSync('/proc').find((entry) => /^\d+$/.test(entry) && holds(entry, sockets));
  if (!pid) return undefined;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
  return { pid: Number(pid), command };
}

/** The sentence for a person whose port is taken. */
export function portTaken(port: number, setting = 'PORT'): string {
  const owner = portOwner(port);
  const by = owner ? ` by process ${owner.pid} (${owner.command.slice(0, 160)})` : '';
  return `Port ${port} is taken${by}. Stop that one, or set another ${setting}.`;
}
