import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

export interface Ports {
  readonly http: number;
  readonly mqtt: number;
  readonly mqttTls: number;
}
export interface Flood {
  readonly flood: number;
  readonly to: Ports;
  readonly count: number;
  readonly perSecond: number;
}
export interface Flooded {
  readonly flooded: number;
  readonly seconds: number;
  readonly refused: number;
}

/** They come from as many addresses, so that none of them is turned away for its neighbours' sake. */
const ADDRESSES = 200;
const TURN_MS = 20;
const DRIP_MS = 1000;
const open = new Set<Socket>();

const head = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${more}\r\n\r\n`;
const upgrade =
  'GET /ops/live HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const HUGE = Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]);
const HALF = Buffer.from([0x10, 0x20, 0, 4, 0x4d]);
const JUNK = Buffer.alloc(600, 0xfe);

interface Way {
  readonly to: keyof Ports;
  readonly tls?: boolean;
  readonly sends?: string | Buffer;
  /** Goes on sending it, a piece each second. */
  readonly drips?: boolean;
}
/** Half of them shake hands over TLS, which costs the most. */
const ways: readonly Way[] = [
  { to: 'mqttTls', tls: true },
  { to: 'mqttTls', tls: true, sends: JUNK },
  { to: 'mqttTls', tls: true, sends: HALF, drips: true },
  { to: 'mqttTls', tls: true, sends: HUGE },
  { to: 'mqttTls' },
  { to: 'mqttTls', sends: Buffer.from([0x16, 3, 1, 2, 0, 1]) },
  { to: 'mqttTls', tls: true },
  { to: 'mqttTls', tls: true, sends: HALF },
  { to: 'mqttTls', tls: true, sends: HUGE },
  { to: 'mqtt', sends: JUNK },
  { to: 'mqtt', sends: HUGE },
  { to: 'mqtt', sends: HALF, drips: true },
  { to: 'http', sends: 'GET / HTTP/1.1\r\nhost' },
  { to: 'http', sends: JUNK },
  { to: 'http', sends: head('/ops/sys/login/auth', 'content-length: 60000'), drips: true },
  { to: 'http', sends: head('/ops/file/upload/unified', 'content-length: 60000000\r\nauthorization: junk') },
  { to: 'http', sends: upgrade },
];

function come({ to }: Flood, number: number, done: (isThere: boolean) => void): void {
  const way = ways[number % ways.length] as Way;
  const from = {
    port: to[way.to],
    host: '127.0.0.1',
    localAddress: `127.7.${Math.floor((number % ADDRESSES) / 100)}.${(number % 100) + 1}`,
  };
  const there = () => {
    done(true);
    if (way.sends) socket.write(way.sends);
    if (!way.drips) return;
    const drip = setInterval(() => socket.write('1'), DRIP_MS);
    socket.once('close', () => clearInterval(drip));
  };
  const socket: Socket = way.tls ? connectTls({ ...from, rejectUnauthorized: false }, there) : connect(from, there);
  open.add(socket);
  socket.on('error', () => done(false));
  socket.once('close', () => {
    open.delete(socket);
    done(false);
  });
  socket.resume();
}

async function flood(of: Flood): Promise<Flooded> {
  const began = performance.now();
  let begun = 0;
  let refused = 0;
  const all: Promise<void>[] = [];
  while (begun < of.count) {
    const due = Math.min(of.count, Math.ceil(((performance.now() - began) / 1000) * of.perSecond));
    for (; begun < due; begun += 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      all.push(promise);
      let said = false;
      come(of, begun, (isThere) => {
        if (!said && !isThere) refused += 1;
        said = true;
        resolve();
      });
    }
    await new Promise((later) => setTimeout(later, TURN_MS));
  }
  const seconds = (performance.now() - began) / 1000;
  await Promise.race([Promise.all(all), new Promise((later) => setTimeout(later, 5000))]);
  return { flooded: of.flood, seconds, refused };
}

// Strangers in a process of their own, so that what they cost is nobody else's time.
process.on('message', (message: Flood | { leave: true }) => {
  if ('leave' in message) for (const socket of open) socket.destroy();
  else void flood(message).then((told) => process.send?.(told));
});
process.send?.({ ready: true });
process.once('disconnect', () => process.exit(0));
// Between two floods nothing is open.
setInterval(() => {}, 1000);
