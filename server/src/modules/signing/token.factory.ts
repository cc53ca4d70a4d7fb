import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LABEL = 'mooring test';

/** A token of SoftHSM in a folder of its own, and the settings of a server that uses it. */
export function softToken(pin: string) {
  const folder = mkdtempSync(join(tmpdir(), 'mooring-token-'));
  const at = (name: string) => join(folder, name);
  const conf = at('softhsm2.conf');
  const make = () => {
    mkdirSync(at('tokens'));
    const args = ['--init-token', '--free', '--label', LABEL, '--pin', pin, '--so-pin', '00000000'];
    execFileSync('softhsm2-util', args, { env: { ...process.env, SOFTHSM2_CONF: conf } });
  };
  writeFileSync(conf, `directories.tokendir = ${at('tokens')}\nobjectstore.backend = file\nlog.level = ERROR\n`);
  make();
  writeFileSync(at('pin'), `${pin}\n`, { mode: 0o600 });
  execFileSync('sh', ['-c', `cp "$(dpkg -L libsofthsm2 | grep 'libsofthsm2.so$' | tail -n 1)" ${at('module.so')}`]);
  return {
    folder,
    at,
    conf: () => conf,
    /** One more under the same name, where there is none. */
    make,
    settings: (more: Record<string, string> = {}) => ({
      PKCS11_MODULE: at('module.so'),
      PKCS11_TOKEN: LABEL,
      PKCS11_PIN_FILE: at('pin'),
      PKCS11_ENV: `SOFTHSM2_CONF=${conf}`,
      ...more,
    }),
    /** Objects that it has. */
    count: () => readdirSync(at('tokens'), { recursive: true }).filter((name) => String(name).endsWith('.object')).length,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What ends the processes that this one began for tokens; each begins again with the next thing asked. */
export function killTokens(): number {
  const running = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  const pids = running.split('\n').flatMap((line) => (line.includes('token.child') ? [Number.parseInt(line, 10)] : []));
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  return pids.length;
}
