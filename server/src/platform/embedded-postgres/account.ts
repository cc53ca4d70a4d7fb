import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Numbers that systemd gives away for as long as something runs: no group of a person or a package lies there. */
const [FIRST, LAST] = [61_184, 65_519];

const fieldsOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean);

/** Whether this container knows the number at all. */
function isMapped(id: number): boolean {
  if (!existsSync('/proc/self/gid_map')) return true;
  return fieldsOf('/proc/self/gid_map').some((line) => {
    const [inside = 0, , count = 0] = line.trim().split(/\s+/).map(Number);
    return id >= inside && id < inside + count;
  });
}

/** A group that nothing else runs in. */
function ownGroup(): number | undefined {
  const known = existsSync('/etc/group') ? fieldsOf('/etc/group').map((line) => Number(line.split(':')[2])) : [];
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.gid ?? []);
  const taken = new Set([...known, ...running]);
  for (let id = FIRST; id <= LAST; id += 1) if (!taken.has(id) && isMapped(id)) return id;
  return undefined;
}

/**
 * PostgreSQL refuses to run as root; then it runs as the cluster's owner, or as an account that every system has, in a group of its own: other
 * processes of that account could else walk into the cluster through the directory of the database's.
 */
export function databaseAccount(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== 'linux')
    throw new Error('The embedded database does not run as root on this system: start Mooring as an ordinary user, or set DATABASE_URL.');
  const entry = fieldsOf('/etc/passwd')
    .find((line) => line.startsWith('nobody:'))
    ?.split(':');
  const shared = { uid: Number(entry?.[2] ?? 65_534), gid: Number(entry?.[3] ?? 65_534) };
  if (existsSync(cluster)) {
    const { uid, gid } = statSync(cluster);
    if (uid !== 0 && uid !== shared.uid) return { uid, gid };
  }
  return { uid: shared.uid, gid: ownGroup() ?? shared.gid };
}
