import { existsSync, readFileSync, statSync } from 'node:fs';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root; then it runs as the cluster's owner, or as an account that every system has. */
export function databaseAccount(cluster: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (process.platform !== 'linux')
    throw new Error('The embedded database does not run as root on this system: start Mooring as an ordinary user, or set DATABASE_URL.');
  if (existsSync(cluster)) {
    const { uid, gid } = statSync(cluster);
    if (uid !== 0) return { uid, gid };
  }
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('nobody:'))
    ?.split(':');
  return { uid: Number(entry?.[2] ?? 65_534), gid: Number(entry?.[3] ?? 65_534) };
}
