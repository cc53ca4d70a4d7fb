import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface Wire {
  readonly url: string;
  /** Bytes that came down from the server since the last time this was asked, headers and WebSocket frames included. */
  taken(): number;
  stop(): Promise<void>;
}

/** Passes connections on as they are and counts what comes down: what a page costs on the wire, whatever carries it. */
export async function startWire(to: string, from = 0): Promise<Wire> {
  const { port } = new URL(to);
  let bytes = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const up = connect(Number(port), '127.0.0.1');
    for (const one of [client, up]) {
      open.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        client.destroy();
        up.destroy();
      });
    }
    up.on('data', (part) => {
      bytes += part.length;
    });
    client.pipe(up).pipe(client);
  });
  await new Promise<void>((done) => server.listen(from, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken() {
      const found = bytes;
      bytes = 0;
      return found;
    },
    async stop() {
      for (const one of open) one.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
