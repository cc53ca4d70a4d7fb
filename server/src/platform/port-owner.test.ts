import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { portOwner, portTaken } from './port-owner.ts';

test.runIf(process.platform === 'linux')('a taken port names its process', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  expect(portOwner(port)?.pid).toBe(process.pid);
  expect(portTaken(port)).toContain(`Port ${port} is taken by process ${process.pid} (`);
  server.close();
  await once(server, 'close');
  expect(portOwner(port)).toBeUndefined();
  expect(portTaken(port)).toBe(`Port ${port} is taken. Stop that one, or set another PORT.`);
});
