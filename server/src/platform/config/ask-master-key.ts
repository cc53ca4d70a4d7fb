import { spawnSync } from 'node:child_process';

const PATIENCE_MS = 60_000;
const LEAST = 16;
/** Asked once for a process, however often its settings are read: it may ask a person, or another machine. */
const answers = new Map<string, string>();

/** The master key from where it is kept: a key server, a hardware token, a file that a passphrase opens. */
export function askMasterKey(command: string): string {
  const known = answers.get(command);
  if (known) return known;
  const { status, signal, stdout, error } = spawnSync('/bin/sh', ['-c', command], {
    stdio: ['inherit', 'pipe', 'inherit'],
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  });
  if (error || status !== 0)
    throw new Error(`MASTER_KEY_COMMAND failed: ${error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`)}.`);
  const key = stdout.replace(/\r?\n$/, '');
  if (key.length < LEAST) throw new Error(`MASTER_KEY_COMMAND printed ${key.length} characters; a master key has at least ${LEAST}.`);
  answers.set(command, key);
  return key;
}
