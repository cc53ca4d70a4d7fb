import { createServer, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy that takes a path prefix away before it passes on, WebSockets too (docs/operate.md). */
export async function behindPrefix(prefix: string, to: string): Promise<{ url: string; stop(): Promise<void> }> {
  const { hostname, port } = new URL(to);
  const inner = (url = '/') => (url.startsWith(`${prefix}/`) ? url.slice(prefix.length) : undefined);
  const server = createServer((asked, answer) => {
    const path = inner(asked.url);
    if (path === undefined) return answer.writeHead(404).end();
    const passed = request({ hostname, port, path, method: asked.method, headers: asked.headers }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  server.on('upgrade', (asked, socket, head) => {
    const path = inner(asked.url);
    if (path === undefined) return socket.destroy();
    const passed = connect(Number(port), hostname, () => {
      const lines = asked.rawHeaders.map((part, at) => (at % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('');
      passed.write(`GET ${path} HTTP/1.1\r\n${lines}\r\n`);
      passed.write(head);
      passed.pipe(socket).pipe(passed);
    });
    passed.on('error', () => socket.destroy());
    socket.on('error', () => passed.destroy());
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
