import { HELLO_MAX } from '@mooring/contract/device/limits';
import { downTopic } from '@mooring/contract/device/topics';
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt';
import type { Logger } from 'pino';
import type { Intake, Transport } from './transport.ts';

export interface OutsideOptions {
  readonly url: string;
  /** Client certificate of this server, where the broker wants one. */
  readonly tls?: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Shared subscriptions spread the messages over all processes that use this name. */
  readonly group?: string;
  /** Clients for results and replies: one acknowledges 820/s at a 1 ms commit. */
  readonly clients?: number;
  readonly intake: Intake;
  readonly log: Logger;
  /** Credentials that speak as a terminal, to take its session over and end it. */
  readonly takeOver?: (sn: string) => Promise<{ cert: string; key: string }>;
}

// One filter for all kinds, so that unknown ones are seen too. Beats come at QoS 0, as they were published.
const UP = 'd/+/up/+';

/** Joins an outside broker as MQTT 5 clients by shared subscription, whenever it answers; terminals need no more than 3.1.1. */
export function joinOutsideBroker(options: OutsideOptions): Transport {
  const { intake, log } = options;
  const group = options.group ?? 'mooring';
  const base: IClientOptions = {
    protocolVersion: 5,
    clean: true,
    keepalive: 30,
    reconnectPeriod: 1000,
    connectTimeout: 10_000,
    properties: { receiveMaximum: 256, maximumPacketSize: HELLO_MAX + 1024 },
    ...(options.tls ?? {}),
  };
  const id = `mooring-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;

  const clients: MqttClient[] = [];
  const { host } = new URL(options.url);
  let isAway = false;
  let why = 'it does not answer';
  // Five clients that try each second are one broker that is away: it is said when it begins, and when it ends.
  const lost = () => {
    if (isAway || stopped) return;
    isAway = true;
    log.warn({ broker: host, error: why }, 'waiting for MQTT_URL');
  };
  const joined = () => {
    if (!isAway || stopped || clients.some((client) => !client.connected)) return;
    isAway = false;
    log.info({ broker: host }, 'MQTT_URL answers');
  };
  let stopped = false;

  const open = (suffix: string, filters: readonly string[], qos: 0 | 1): MqttClient => {
    const client = mqtt.connect(options.url, { ...base, clientId: `${id}-${suffix}`, manualConnect: true });
    // The broker's next message waits until this one has room: its receive maximum is our back-pressure.
    client.handleMessage = (packet, done) => {
      const payload = Buffer.isBuffer(packet.payload) ? packet.payload : Buffer.from(packet.payload);
      const room = intake.message(packet.topic, payload);
      if (room) void room.then(() => done());
      else done();
    };
    client.on('error', (error) => {
      why = error.message || String((error as { code?: string }).code);
      lost();
    });
    client.on('close', lost);
    const subscribe = () => {
      if (filters.length > 0)
        client.subscribe(
          filters.map((filter) => `$share/${group}/${filter}`),
          { qos },
          (error) => error && client.connected && log.error({ error: error.message }, 'broker refused the subscription'),
        );
    };
    client.on('connect', () => {
      subscribe();
      joined();
    });
    clients.push(client);
    client.connect();
    return client;
  };

  const count = options.clients ?? 4;
  for (let at = 0; at < count; at += 1) open(`r${at}`, [UP], 1);
  const sender = open('send', [], 0);

  return {
    name: 'outside',
    connections: () => 0,
    send(sn, kind, payload) {
      if (!sender.connected) return false;
      sender.publish(downTopic(sn, kind), payload, { qos: 1 });
      return true;
    },
    async cut(sn) {
      if (!options.takeOver) return;
      const { cert, key } = await options.takeOver(sn);
      await new Promise<void>((resolve) => {
        const client = mqtt.connect(options.url, {
          ...base,
          cert,
          key,
          clientId: sn,
          protocolVersion: 4,
          reconnectPeriod: 0,
          properties: undefined,
        } as IClientOptions);
        // Its own word that it has ended doesn't come where the broker went away meanwhile.
        const end = () => {
          client.end(true);
          resolve();
        };
        client.once('connect', end);
        client.once('error', end);
        client.once('close', end);
      });
    },
    async stop() {
      stopped = true;
      // Not waited for: without its broker a client never says that it has ended.
      for (const client of clients) client.end(true);
    },
  };
}
