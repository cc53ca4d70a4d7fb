import { PROTOCOL_VERSION } from '@mooring/contract/device/limits';
import { downFilter, upTopic } from '@mooring/contract/device/topics';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import type { Random } from './random.ts';

export interface Credentials {
  readonly url: string;
  readonly token?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly ca?: string;
  /** So long until new ones are to be had: the connection ends with these. */
  readonly freshInMs?: number;
}
export interface LinkOptions {
  readonly sn: string;
  readonly random: Random;
  /** Asked before each connection: tokens end, certificates are renewed. */
  credentials(): Promise<Credentials>;
  onUp(): void;
  onDown(): void;
  onMessage(kind: string, payload: Buffer): void;
  onRefused?(): void;
  readonly keepaliveSeconds?: number;
  readonly maxBackoffSeconds?: number;
  /** In which time those that were let in together ask for new credentials. */
  readonly spreadMs?: number;
  session(): string;
}
export interface Link {
  readonly isUp: () => boolean;
  /** Bytes over all connections since it was made. */
  traffic(): { readonly received: number; readonly sent: number };
  send(kind: string, message: unknown, qos: 0 | 1): void;
  /** Breaks the connection as a bad network does: without a word. */
  cut(): void;
  /** Stays away until `open`. */
  close(word?: unknown): Promise<void>;
  open(): void;
}

const SPREAD_MS = 5 * 60_000;
/** Where nothing new was to be had. */
const AGAIN_MS = 60_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What went over the line of a client, whatever kind of socket that is. */
const bytesOf = (client: MqttClient | undefined) => {
  const { bytesRead = 0, bytesWritten = 0 } = (client?.stream ?? {}) as { bytesRead?: number; bytesWritten?: number };
  return { received: bytesRead, sent: bytesWritten };
};

const leave = (client: MqttClient, politely: boolean): Promise<void> =>
  new Promise((resolve) => {
    const end = setTimeout(resolve, 2000);
    client.end(!politely, {}, () => {
      clearTimeout(end);
      resolve();
    });
  });

/** A connection that comes back by itself: later and later, and never all terminals at once. */
export function makeLink(options: LinkOptions): Link {
  const { sn, random } = options;
  let client: MqttClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  let renewing: NodeJS.Timeout | undefined;
  let wanted = false;
  let failures = 0;
  let up = false;
  /** Of connections that are over. */
  const past = { received: 0, sent: 0 };

  const later = () => {
    if (!wanted) return;
    const most = options.maxBackoffSeconds ?? 60;
    const seconds = Math.min(most, 2 ** Math.min(failures, 6)) * (0.5 + random());
    failures += 1;
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), seconds * 1000);
  };
  /** Before what the connection was let in by ends, another one is made with new ones: nobody waits for the server to end it. */
  const renewAt = (at: number, mine: MqttClient, present: Credentials): void => {
    clearTimeout(renewing);
    renewing = setTimeout(
      async () => {
        if (client !== mine) return;
        if (performance.now() < at) return renewAt(at, mine, present);
        const next = await options.credentials().catch(() => present);
        if (client !== mine || !wanted) return;
        if (next.token === present.token && next.certificate === present.certificate)
          return renewAt(performance.now() + AGAIN_MS, mine, present);
        client = undefined;
        up = false;
        options.onDown();
        await leave(mine, true);
        if (wanted && client === undefined) join(next);
      },
      Math.min(LONGEST_TIMER_MS, Math.max(0, at - performance.now())),
    );
  };
  const connect = async () => {
    let credentials: Credentials;
    try {
      credentials = await options.credentials();
    } catch {
      return later();
    }
    if (wanted) join(credentials);
  };
  const join = (credentials: Credentials) => {
    const will = {
      topic: upTopic(sn, 'bye'),
      payload: Buffer.from(
        JSON.stringify({
          v: PROTOCOL_VERSION,
          id: `will-${options.session()}`,
          at: new Date().toISOString(),
          data: { reason: 'lost', session: options.session() },
        }),
      ),
      qos: 0 as const,
      retain: false,
    };
    const settings: IClientOptions = {
      clientId: sn,
      clean: true,
      protocolVersion: 4,
      keepalive: options.keepaliveSeconds ?? 60,
      reconnectPeriod: 0,
      connectTimeout: 20_000,
      queueQoSZero: false,
      resubscribe: false,
      will,
      username: sn,
      ...(credentials.token ? { password: credentials.token } : {}),
      ...(credentials.certificate ? { cert: credentials.certificate, key: credentials.key ?? '', ca: credentials.ca ?? '' } : {}),
    };
    const mine = mqtt.connect(credentials.url, settings);
    client = mine;
    mine.on('message', (topic, payload) => options.onMessage(topic.slice(topic.lastIndexOf('/') + 1), payload));
    mine.on('error', (error) => {
      if ((error as { code?: number }).code === 5 || (error as { code?: number }).code === 4) options.onRefused?.();
    });
    mine.once('connect', () => {
      mine.subscribe(downFilter(sn), { qos: 1 }, (error) => {
        if (error) return void mine.end(true);
        if (client !== mine) return;
        failures = 0;
        up = true;
        const { freshInMs } = credentials;
        if (freshInMs !== undefined)
          renewAt(performance.now() + Math.max(0, freshInMs) + Math.random() * (options.spreadMs ?? SPREAD_MS), mine, credentials);
        options.onUp();
      });
    });
    mine.once('close', () => {
      const { received, sent } = bytesOf(mine);
      past.received += received;
      past.sent += sent;
      if (client !== mine) return;
      client = undefined;
      mine.end(true);
      if (up) {
        up = false;
        options.onDown();
      }
      later();
    });
  };
  return {
    isUp: () => up,
    traffic() {
      const { received, sent } = up ? bytesOf(client) : { received: 0, sent: 0 };
      return { received: past.received + received, sent: past.sent + sent };
    },
    send(kind, message, qos) {
      if (up) client?.publish(upTopic(sn, kind), JSON.stringify(message), { qos });
    },
    cut: () => void (client?.stream as { destroy?: () => void } | undefined)?.destroy?.(),
    open() {
      if (wanted) return;
      wanted = true;
      failures = 0;
      void connect();
    },
    async close(word) {
      wanted = false;
      clearTimeout(timer);
      clearTimeout(renewing);
      const mine = client;
      client = undefined;
      const was = up;
      up = false;
      if (!mine) return;
      if (was && word !== undefined) mine.publish(upTopic(sn, 'bye'), JSON.stringify(word), { qos: 0 });
      await leave(mine, was);
      if (was) options.onDown();
    },
  };
}
