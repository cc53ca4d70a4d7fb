import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A line between two sides, which may break and slow down. It leads to the first target that answers. */
export interface Line {
  readonly port: number;
  /** Breaks every connection, and takes none until `mend`. */
  cut(): void;
  /** Breaks every connection once: both sides may come back at once. */
  drop(): void;
  /** Each piece waits so long; 0 is a good line. */
  slow(ms: number): void;
  mend(): void;
  readonly open: () => number;
  stop(): Promise<void>;
}

export async function openLine(targets: () => readonly number[]): Promise<Line> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let delay = 0;
  let turn = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  };
  /** Piece by piece, so that what is slow presses back on its sender. */
  const carry = async (from: Socket, to: Socket) => {
    try {
      for await (const piece of from as AsyncIterable<Buffer>) {
        if (delay > 0) await sleep(delay);
        if (to.destroyed) break;
        if (!to.write(piece))
          await new Promise<void>((resolve) => {
            const go = () => {
              to.off('drain', go).off('close', go);
              resolve();
            };
            to.on('drain', go).on('close', go);
          });
      }
      to.end();
    } catch {
      to.destroy();
    }
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    keep(client);
    if (isCut) return void client.destroy();
    const ports = targets();
    const attempt = (left: number) => {
      turn += 1;
      const to = connect({ port: ports[turn % ports.length] ?? 0, host: '127.0.0.1', allowHalfOpen: true });
      keep(to);
      let isThere = false;
      to.once('connect', () => {
        isThere = true;
        void carry(client, to);
        void carry(to, client);
      });
      to.once('close', () => (isThere || left === 0 ? client.destroy() : attempt(left - 1)));
      client.once('close', () => to.destroy());
    };
    attempt(ports.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4096, resolve));
  const address = server.address();
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut() {
      isCut = true;
      drop();
    },
    drop,
    slow(ms) {
      delay = ms;
    },
    mend() {
      isCut = false;
      delay = 0;
    },
    open: () => sockets.size,
    async stop() {
      isCut = true;
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
