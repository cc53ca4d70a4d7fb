import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { HELLO_MAX } from '@mooring/contract/device/limits';
import { downTopic, mayPublish, maySubscribe } from '@mooring/contract/device/topics';
import { Aedes, type AuthenticateError, type Client, type ConnectPacket } from 'aedes';
import { type UnprovenLimits, unprovenDefaults } from '../../unproven.ts';
import { unprovenSockets } from '../../unproven-sockets.ts';
import type { Admit, Presented } from '../identity.ts';
import type { Intake, Transport } from '../transport.ts';
import { holdingBack } from './holding-back.ts';
import { publishFrame } from './publish-frame.ts';

export interface BrokerOptions {
  readonly host: string;
  readonly port: number;
  /** Without it only plain connections are taken. */
  readonly tls?: {
    readonly host: string;
    readonly port: number;
    readonly cert: string;
    readonly key: string;
    readonly ca: readonly string[];
  };
  readonly admit: Admit;
  readonly intake: Pick<Intake, 'message' | 'gone' | 'guarded'>;
  /** For who has not proved yet to be a terminal. */
  readonly unproven?: UnprovenLimits;
  /** A terminal listens from now on. */
  readonly here?: (sn: string) => void;
}
export interface EmbeddedBroker extends Transport {
  readonly port: number;
  readonly tlsPort: number | undefined;
}

/** Header, topic and id of a packet besides its payload. */
const PACKET_MAX = HELLO_MAX + 512;
/** All that may be said before it is proved who speaks: a CONNECT with its will and token has room in it many times. */
const UNPROVEN_BYTES = 16 * 1024;
/** Of one terminal: the one that listens, and those beside it that only speak. */
const CONNECTIONS_EACH = 4;
/** Of one connection: `d/<sn>/down/+`, or each kind by itself. */
const SUBSCRIPTIONS_EACH = 16;
const ENDS_EVERY_MS = 1000;
const NOT_AUTHORIZED = 5;
const SERVER_UNAVAILABLE = 3;

interface Parser {
  parse(buf: Buffer): number;
  packet: { length: number };
  client: Client;
  unproven?: number;
}

interface Draining {
  waitForDrain(done: () => void): void;
}

const parserOf = (client: Client) => (client as unknown as { _parser: Parser })._parser;

/**
 * The parser would gather a packet of any declared size, also of strangers: this ends the connection as soon as the length is read, or as a
 * stranger has said too much. One for all clients, from their first byte on.
 */
function limitedParse(isProved: (client: Client) => boolean, onTooLarge: (client: Client) => void): Parser['parse'] {
  return function (this: Parser, buf) {
    const end = (): number => {
      onTooLarge(this.client);
      this.client.conn.destroy();
      return 0;
    };
    const proved = isProved(this.client);
    if (!proved) {
      this.unproven = (this.unproven ?? 0) + buf.length;
      if (this.unproven > UNPROVEN_BYTES) return end();
    }
    const left = (Object.getPrototypeOf(this) as Parser).parse.call(this, buf);
    return this.packet.length > (proved ? PACKET_MAX : UNPROVEN_BYTES) ? end() : left;
  };
}

function certificateOf(conn: unknown): Presented['certificate'] {
  const socket = conn as Partial<TLSSocket>;
  if (!socket.encrypted || !socket.authorized || !socket.getPeerCertificate) return undefined;
  const { subject, fingerprint256, valid_to } = socket.getPeerCertificate();
  const name = subject?.CN;
  return typeof name === 'string' && fingerprint256
    ? { sn: name, fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(), endsAtMs: Date.parse(valid_to) }
    : undefined;
}

const listen = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: 4096 }, () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address ? address.port : port);
    });
  });

type Done = (() => void) | undefined;

/**
 * The database is the only queue: no session is kept here for a terminal that asks for one. It is told so (no session present), and
 * subscribes again.
 */
function withoutSession(packet: ConnectPacket): void {
  packet.clean = true;
  if (packet.will && packet.will.qos === 2) packet.will.qos = 1;
}

/**
 * All that is published was taken in its hook, and what goes down is written by `send`: no subscriber is left to be looked for or kept
 * (measured: a tenth of what a message costs).
 */
function distributeNothing(broker: Aedes): void {
  const after = (done: Done) => {
    if (done) process.nextTick(done);
  };
  Object.assign(broker, {
    publish: (_packet: unknown, client: Client | Done, done: Done) => after(typeof client === 'function' ? client : done),
    subscribe: (_topic: string, _deliver: unknown, done: Done) => after(done),
    unsubscribe: (_topic: string, _deliver: unknown, done: Done) => after(done),
  });
}

/**
 * A broker of our own. Messages are taken in its hooks and never by an MQTT subscription, which has no back-pressure
 * (measured: 60,000 → 11,000 messages/s and growing memory).
 */
export async function openBroker(options: BrokerOptions): Promise<EmbeddedBroker> {
  const { intake, admit, here } = options;
  const identities = new WeakMap<Client, string>();
  /** When it ends what each connection was let in by. */
  const ends = new WeakMap<Client, number>();
  const connected = new Map<string, readonly Client[]>();
  /** The connection that listens: what is said to the terminal goes there, and its end is the terminal's absence. */
  const live = new Map<string, Client>();
  const held = holdingBack();
  const snOf = (client: Client | null) => (client ? (identities.get(client) ?? '') : '');
  const parse = limitedParse(
    (client) => identities.has(client),
    (client) => intake.guarded(snOf(client) || (client.id ?? '').slice(0, 64), 'tooLarge'),
  );
  const unknownDevices = unprovenSockets(options.unproven ?? unprovenDefaults);

  const broker = await Aedes.createBroker({
    heartbeatInterval: 60_000,
    connectTimeout: 15_000,
    drainTimeout: 30_000,
    maxTopicLevels: 8,
    preConnect(_client, packet, done) {
      withoutSession(packet);
      done(null, true);
    },
    authenticate(client, username, password, done) {
      const certificate = certificateOf(client.conn);
      admit({
        clientId: client.id,
        ...(certificate ? { certificate } : {}),
        ...(username ? { username } : {}),
        ...(password ? { password: password.toString() } : {}),
      }).then(
        (admission) => {
          if (admission.ok) {
            identities.set(client, admission.sn);
            ends.set(client, performance.now() + admission.forMs);
            unknownDevices.proved(client.conn as Socket);
            done(null, true);
          } else {
            intake.guarded(client.id.slice(0, 64), admission.reason);
            done(Object.assign(new Error(admission.reason), { returnCode: NOT_AUTHORIZED }) as AuthenticateError, false);
          }
        },
        // The database is away: not the terminal's fault, so it is told to come back.
        () => done(Object.assign(new Error('unavailable'), { returnCode: SERVER_UNAVAILABLE }) as AuthenticateError, false),
      );
    },
    authorizePublish(client, packet, done) {
      const sn = snOf(client);
      // What the broker itself says ($SYS) goes to nobody here.
      if (!client) return done(null);
      if (!mayPublish(sn, packet.topic) || packet.retain) {
        intake.guarded(sn, `publish ${packet.topic.slice(0, 128)}`);
        return done(new Error('not its topic'));
      }
      // Its packets would be kept until the terminal takes them up again; nothing of the protocol needs it.
      if (packet.qos === 2) {
        intake.guarded(sn, 'qos2');
        return done(new Error('QoS 2'));
      }
      const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
      const room = intake.message(packet.topic, payload);
      if (packet.qos > 0) held.hold(client, packet.topic);
      if (room) void room.then(() => done(null));
      else done(null);
    },
    authorizeSubscribe(client, subscription, done) {
      const sn = snOf(client);
      if (client.closed) return done(null, null);
      const { subscriptions } = client as unknown as { subscriptions: object };
      if (!(subscription.topic in subscriptions) && Object.keys(subscriptions).length >= SUBSCRIPTIONS_EACH) {
        intake.guarded(sn, 'tooManySubscriptions');
        return done(null, null);
      }
      if (maySubscribe(sn, subscription.topic)) {
        live.set(sn, client);
        here?.(sn);
        return done(null, subscription);
      }
      intake.guarded(sn, `subscribe ${subscription.topic.slice(0, 128)}`);
      done(null, null);
    },
    authorizeForward: (client, packet) => (packet.topic.startsWith(`d/${snOf(client)}/down/`) ? packet : null),
  });
  distributeNothing(broker);
  const leave = (client: Client) => {
    client.close();
    client.conn.destroy();
  };
  broker.on('clientReady', (client) => {
    // It may have left meanwhile, and is said to have left once.
    if (client.closed) return;
    const sn = snOf(client);
    const all = [...(connected.get(sn) ?? []), client];
    connected.set(sn, all);
    if (all.length <= CONNECTIONS_EACH) return;
    intake.guarded(sn, 'tooManyConnections');
    const oldest = all.find((one) => one !== live.get(sn));
    if (oldest) leave(oldest);
  });
  const ending = setInterval(() => {
    const now = performance.now();
    for (const clients of connected.values()) for (const client of clients) if ((ends.get(client) ?? 0) <= now) leave(client);
  }, ENDS_EVERY_MS);
  ending.unref();
  broker.on('clientDisconnect', (client) => {
    held.release(client);
    const sn = snOf(client);
    const left = (connected.get(sn) ?? []).filter((one) => one !== client);
    if (left.length === 0) connected.delete(sn);
    else connected.set(sn, left);
    if (live.get(sn) !== client) return;
    live.delete(sn);
    intake.gone(sn);
  });
  // Broken connections are ordinary.
  broker.on('clientError', () => {});
  broker.on('connectionError', () => {});

  const sockets = new Set<Socket>();
  // The same functions for all: tens of thousands of connections rest here.
  const ignore = () => {};
  function forget(this: Socket) {
    sockets.delete(this);
  }
  const take = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', forget);
    socket.on('error', ignore);
    parserOf(broker.handle(socket)).parse = parse;
  };
  const plain = createServer(take);
  unknownDevices.watch(plain);
  const port = await listen(plain, options.port, options.host);
  let secure: Server | undefined;
  let tlsPort: number | undefined;
  if (options.tls) {
    const { cert, key, ca } = options.tls;
    // A wrong certificate is judged in `authenticate`, so that the refusal is noted.
    secure = createTlsServer(
      { cert, key, ca: [...ca], requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.2', handshakeTimeout: 15_000 },
      take,
    );
    secure.on('tlsClientError', () => {});
    unknownDevices.watch(secure);
    tlsPort = await listen(secure, options.tls.port, options.tls.host);
  }

  return {
    name: 'embedded',
    port,
    tlsPort,
    connections: () => live.size,
    send(sn, kind, payload) {
      const client = live.get(sn);
      if (!client) return false;
      // Who doesn't read is cut off by the broker after its drain timeout, as with its own packets.
      if (!client.conn.write(publishFrame(downTopic(sn, kind), payload))) (client as unknown as Draining).waitForDrain(() => {});
      held.release(client);
      return true;
    },
    async cut(sn) {
      for (const client of connected.get(sn) ?? []) {
        await new Promise<void>((resolve) => client.close(() => resolve()));
        client.conn.destroy();
      }
    },
    async stop() {
      plain.close();
      secure?.close();
      unknownDevices.stop();
      clearInterval(ending);
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => broker.close(() => resolve()));
    },
  };
}
