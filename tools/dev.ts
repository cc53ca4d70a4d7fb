import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageScript, root } from './suite/processes.ts';

/** The server, started again when a file that it imports changes, and the console with hot reload in front of it. */
const port = process.env.PORT ?? '8080';
const argv = process.argv.slice(2);

const start = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });

const server = start(['--watch', '--watch-preserve-output', join(root, 'server', 'src', 'main.ts'), '--dev', ...argv], root);
const page = start([packageScript('vite', 'bin', 'vite.js')], join(root, 'web'), { MOORING_SERVER: `http://127.0.0.1:${port}` });

const both: readonly ChildProcess[] = [server, page];
function stop(): void {
  for (const child of both) child.kill('SIGTERM');
}
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of both) child.on('exit', stop);
