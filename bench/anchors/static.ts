import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { npmAnchor } from './npm-anchor.ts';

/** `@fastify/static` over a folder; undefined where it can't be installed. */
export async function staticServer(folder: string): Promise<{ url: string; stop(): Promise<void> } | undefined> {
  const installed = await npmAnchor('static');
  if (!installed) return undefined;
  const child = spawn(process.execPath, [join(import.meta.dirname, 'static-server.ts'), installed, folder], {
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: said.toString().trim(),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
