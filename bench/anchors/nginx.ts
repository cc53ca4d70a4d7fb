import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@mooring/server/platform/free-port';
import { program } from './program.ts';

export interface Nginx {
  readonly url: string;
  stop(): Promise<void>;
}

const reachable = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', () => done(false));
  });

/** The configuration that is shipped, without TLS and without the terminals' port: on loopback bytes alone are compared. */
function shipped(port: number, folder: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const all: readonly (readonly [string | RegExp, string])[] = [
    [/load_module.*\n/, ''],
    [/^user .*$/m, process.getuid?.() === 0 ? 'user root;' : ''],
    ['/run/nginx.pid', `${folder}/pid`],
    ['/var/log/nginx/error.log', `${folder}/error.log`],
    [/worker_rlimit_nofile.*\n/, ''],
    ['worker_connections 16384', 'worker_connections 1024'],
    ['include /etc/nginx/mime.types;', temporary],
    ['listen 443 ssl;', `listen 127.0.0.1:${port};`],
    [/ssl_certificate .*\n/, ''],
    [/ssl_certificate_key .*\n/, ''],
    [/\nstream \{[\s\S]*$/, ''],
    ...changes,
  ];
  let text = readFileSync(join(import.meta.dirname, '..', '..', 'packaging', 'nginx.conf'), 'utf8');
  for (const [what, by] of all) {
    if (text.search(what) < 0) throw new Error(`the shipped configuration of nginx has no ${what}`);
    text = text.replace(what, by);
  }
  return text;
}

/** nginx with the shipped configuration and these changes to it; undefined where it isn't installed. */
export async function startNginx(changes: readonly (readonly [string | RegExp, string])[]): Promise<Nginx | undefined> {
  const file = program('nginx');
  if (!file) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'mooring-bench-nginx-'));
  const port = await freePort();
  writeFileSync(join(folder, 'nginx.conf'), shipped(port, folder, changes));
  const child = spawn(file, ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log'), '-g', 'daemon off;'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  while (!(await reachable(port))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await new Promise((wait) => setTimeout(wait, 20));
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
