import { generate } from 'mqtt-packet';

/** What a terminal needs of MQTT 3.1.1, without a client object for each: fifteen thousand of them live in two processes. */
export const CONNACK = 2;
export const PUBLISH = 3;
export const SUBACK = 9;

const KEEPALIVE_SECONDS = 1200;

export const connectFrame = (clientId: string, password?: string): Buffer =>
  generate({
    cmd: 'connect',
    protocolId: 'MQTT',
    protocolVersion: 4,
    clean: true,
    clientId,
    keepalive: KEEPALIVE_SECONDS,
    ...(password ? { username: clientId, password: Buffer.from(password) } : {}),
  });
export const subscribeFrame = (topic: string, qos: 0 | 1): Buffer =>
  generate({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic, qos }] } as never);
export const publishFrame = (topic: string, payload: string, qos: 0 | 1, messageId: number): Buffer =>
  generate({ cmd: 'publish', topic, payload, qos, retain: false, dup: false, ...(qos ? { messageId } : {}) } as never);
const pubackFrame = (high: number, low: number) => Buffer.from([0x40, 2, high, low]);

export interface Frame {
  readonly type: number;
  /** Of a publish. */
  readonly topic: string;
  readonly payload: Buffer;
  /** What a publish at QoS 1 is answered with. */
  readonly puback: Buffer | undefined;
}
const NONE = Buffer.alloc(0);

function read(head: number, body: Buffer): Frame {
  const type = head >> 4;
  if (type !== PUBLISH) return { type, topic: '', payload: NONE, puback: undefined };
  const end = 2 + body.readUInt16BE(0);
  const acked = (head & 6) !== 0;
  return {
    type,
    topic: body.toString('latin1', 2, end),
    payload: body.subarray(acked ? end + 2 : end),
    puback: acked ? pubackFrame(body[end] ?? 0, body[end + 1] ?? 0) : undefined,
  };
}

/** Hands over the whole frames of some bytes; answers the bytes that are left. */
export function eachFrame(bytes: Buffer, take: (frame: Frame) => void): Buffer | undefined {
  let at = 0;
  while (at < bytes.length) {
    let [length, shift, from, more] = [0, 0, at + 1, true];
    while (more && from < bytes.length) {
      const byte = bytes[from] ?? 0;
      length |= (byte & 127) << shift;
      shift += 7;
      from += 1;
      more = byte > 127;
    }
    if (more || from + length > bytes.length) return Buffer.from(bytes.subarray(at));
    take(read(bytes[at] ?? 0, bytes.subarray(from, from + length)));
    at = from + length;
  }
  return undefined;
}
