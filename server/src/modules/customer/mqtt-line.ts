import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { connect as secure, type TLSSocket } from 'node:tls';
import { topicOf } from '@mooring/contract/customer/topic';
import { Fault } from '@mooring/contract/kit/fault';
import type Mqtt from 'mqtt';
import type { MqttClient } from 'mqtt';
import { connectOutside } from '../../platform/outbound/door.ts';
import { type Line, type Outcome, type Parcel, type Platform, reasonOf } from './line.ts';

const PATIENCE_MS = 10_000;
/** Messages under way at once, where the broker takes as many. */
const AT_ONCE = 16;
const PORT = 8883;

/** Reason codes of MQTT 5 that are about a message, and those that are about who sends it. */
const ofMessage: readonly number[] = [0x90, 0x95, 0x99];
const notLetIn: readonly number[] = [0x04, 0x05, 0x86, 0x8c];
const notAllowed = 0x87;
const busy: readonly number[] = [0x88, 0x89, 0x96, 0x97];

function outcomeOf(error: unknown): Outcome {
  const { code } = error as { code?: unknown };
  // A fault has a number too, of HTTP.
  if (error instanceof Fault || typeof code !== 'number') return { fate: 'later', reason: reasonOf(error) };
  if (ofMessage.includes(code)) return { fate: 'refused', reason: 'IOT_MESSAGE', status: code };
  const reason = notLetIn.includes(code)
    ? 'IOT_SIGN_IN'
    : code === notAllowed
      ? 'IOT_FORBIDDEN'
      : busy.includes(code)
        ? 'IOT_BUSY'
        : 'IOT_STATUS';
  return { fate: 'later', reason, status: code };
}

/** A TLS connection to the very address that was checked. */
async function secured({ endpoint, ca, signIn, certificate, secret, allowed }: Platform): Promise<TLSSocket> {
  const { hostname, port } = new URL(endpoint);
  const host = hostname.replaceAll(/^\[|\]$/g, '');
  const socket = await connectOutside(host, port === '' ? PORT : Number(port), allowed, PATIENCE_MS);
  const own = signIn === 'certificate' ? { cert: certificate, key: secret } : {};
  return new Promise((done, fail) => {
    const late = setTimeout(() => line.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })), PATIENCE_MS);
    const line = secure({
      ...own,
      ...(ca ? { ca } : {}),
      socket,
      host,
      minVersion: 'TLSv1.2',
      ...(isIP(host) === 0 ? { servername: host } : {}),
    });
    line.once('error', (error) => {
      clearTimeout(late);
      socket.destroy();
      fail(error);
    });
    line.once('secureConnect', () => {
      clearTimeout(late);
      done(line);
    });
  });
}

/** A session that nothing is kept of: what wasn't acknowledged is sent again from our own rows. */
function session(mqtt: typeof Mqtt, { signIn, userName, secret, now }: Platform, stream: TLSSocket): Promise<MqttClient> {
  const client = new mqtt.MqttClient(() => stream, {
    protocolVersion: 5,
    clientId: `mooring-${randomUUID()}`,
    clean: true,
    reconnectPeriod: 0,
    connectTimeout: PATIENCE_MS,
    keepalive: 30,
    queueQoSZero: false,
    ...(signIn === 'password' ? { username: userName, password: Buffer.from(secret) } : {}),
  });
  return new Promise((done, fail) => {
    const since = now();
    // Before anything is published "not authorised" is about who comes.
    client.on('error', (error) => fail('code' in error && error.code === notAllowed ? Object.assign(error, { code: 0x86 }) : error));
    client.once('close', () => fail(Object.assign(new Error(`closed, opened ${since.toISOString()}`), { code: 'ECONNRESET' })));
    client.once('connect', () => done(client));
  });
}

const PROPERTIES = { contentType: 'application/json', payloadFormatIndicator: true };

/** Of a packet beside its topic and its text. */
const AROUND_BYTES = 512;
const isTooLarge = (client: MqttClient, topic: string, body: string): boolean => {
  const most = client.serverProperties?.maximumPacketSize;
  return most !== undefined && Buffer.byteLength(topic) + Buffer.byteLength(body) + AROUND_BYTES > most;
};

/** Resolves with the broker's acknowledgement. */
function publish(client: MqttClient, topic: string, { body, messageId, seq }: Parcel): Promise<Outcome> {
  // A broker ends the connection for what is larger than it said.
  if (isTooLarge(client, topic, body)) return Promise.resolve({ fate: 'refused', reason: 'IOT_MESSAGE' });
  return new Promise((done) => {
    const settle = (outcome: Outcome) => {
      clearTimeout(late);
      client.removeListener('close', closed);
      done(outcome);
    };
    const closed = () => settle({ fate: 'later', reason: 'IOT_CLOSED' });
    const late = setTimeout(() => settle({ fate: 'later', reason: 'IOT_SILENT' }), PATIENCE_MS);
    client.once('close', closed);
    const properties = { ...PROPERTIES, userProperties: { id: messageId, seq: String(seq) } };
    client.publish(topic, body, { qos: 1, properties }, (error) => settle(error ? outcomeOf(error) : { fate: 'sent' }));
  });
}

/** MQTT 5 over TLS, quality of service 1. The connection is made by the first message, and anew by the next one after it broke. */
export function mqttLine(platform: Platform): Line {
  let open: Promise<MqttClient> | undefined;
  let underWay = 0;
  const waiting: (() => void)[] = [];
  /** A broker ends the connection of who has more under way than it said. */
  const inTurn = async (client: MqttClient, work: () => Promise<Outcome>): Promise<Outcome> => {
    const most = Math.min(AT_ONCE, client.serverProperties?.receiveMaximum ?? AT_ONCE);
    while (underWay >= most) await new Promise<void>((go) => waiting.push(go));
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
      waiting.shift()?.();
    }
  };
  const close = () => {
    open?.then(
      (client) => client.end(true),
      () => {},
    );
    open = undefined;
  };
  const opened = async () => {
    // Read when it is needed, which it never is in most installations; and before there is a socket, whose errors would find no listener meanwhile.
    const { default: mqtt } = await import('mqtt');
    const stream = await secured(platform);
    const client = await session(mqtt, platform, stream).catch((error: unknown) => {
      stream.destroy();
      throw error;
    });
    client.setMaxListeners(0);
    client.once('close', () => {
      open = undefined;
    });
    return client;
  };
  return {
    async send(parcel) {
      try {
        open ??= opened();
        const client = await open;
        const outcome = await inTurn(client, () => publish(client, topicOf(platform.topic, parcel), parcel));
        // What the broker says of one message is no fault of the connection that others are under way on.
        if (outcome.fate === 'later' && outcome.status === undefined) close();
        return outcome;
      } catch (error) {
        open = undefined;
        return outcomeOf(error);
      }
    },
    close,
  };
}
