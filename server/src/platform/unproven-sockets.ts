import type { Server, Socket } from 'node:net';
import { type UnprovenLimits, unprovenGuests } from './unproven.ts';

/** So much more has to have left within the time of an unknown one, or its reader doesn't read. */
const MOVING_BYTES = 8 * 1024;

const nameOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;

/** Connections whose other end has not proved who it is, from their first packet on: also before and while TLS is agreed on. */
export function unprovenSockets(limits: UnprovenLimits, isFree: (address: string) => boolean = () => false) {
  /** A line and the TLS within it are two objects of one name. */
  const lines = new Map<string, Socket>();
  const written = new WeakMap<Socket, number>();
  const isMoving = (socket: Socket): boolean => {
    const now = socket.bytesWritten - socket.writableLength;
    const before = written.get(socket) ?? 0;
    written.set(socket, now);
    return now - before > MOVING_BYTES;
  };
  const guests = unprovenGuests<Socket>(limits, (socket) => void socket.destroy(), isMoving);
  const lineOf = (socket: Socket) => lines.get(nameOf(socket));
  return {
    watch(server: Server): void {
      server.on('connection', (socket: Socket) => {
        if (isFree(socket.remoteAddress ?? '')) return;
        const name = nameOf(socket);
        lines.set(name, socket);
        guests.add(socket, socket.remoteAddress);
        socket.once('close', () => {
          guests.left(socket);
          if (lines.get(name) === socket) lines.delete(name);
        });
      });
    },
    proved(socket: Socket): void {
      const line = lineOf(socket);
      if (!line) return;
      guests.left(line);
      lines.delete(nameOf(socket));
    },
    renew(socket: Socket): void {
      const line = lineOf(socket);
      if (line) guests.renew(line);
    },
    size: guests.size,
    stop: guests.stop,
  };
}
