import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { localCertificate } from '@mooring/server/platform/config/local-certificate';

// The least that a TLS listener can do: it shakes hands and closes. Says what that costs it.
const folder = mkdtempSync(join(tmpdir(), 'mooring-bare-tls-'));
const server = createServer({ ...(await localCertificate(folder, '127.0.0.1')), minVersion: 'TLSv1.2' }, (socket) => {
  socket.on('error', () => {});
  socket.end();
});
rmSync(folder, { recursive: true, force: true });
server.on('tlsClientError', () => {});
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  process.send?.({ ready: true, port: (server.address() as AddressInfo).port });
});
process.on('message', (message: { usage?: number }) => {
  if (message.usage === undefined) return;
  const { user, system } = process.cpuUsage();
  process.send?.({ usage: message.usage, cpuMs: (user + system) / 1000 });
});
process.once('disconnect', () => process.exit(0));
