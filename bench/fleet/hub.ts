import { connect, type Socket } from 'node:net';
import { downTopic } from '@mooring/contract/device/topics';
import { CONNACK, connectFrame, eachFrame, PUBLISH, publishFrame, SUBACK, subscribeFrame } from './frames.ts';
import { eachNatsLine, natsConnect, natsPublish } from './nats.ts';

/** Who speaks to all terminals through a broker of the anchor and hears what they say. */
export interface Hub {
  /** Publishes to each; done when as many answers have come. */
  command(sns: readonly string[], text: string): Promise<void>;
  heard(): number;
  stop(): void;
}

const open = (port: number) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket.setNoDelay(true)));
    socket.once('error', reject);
  });

function hubOf(socket: Socket, wire: (topic: string, text: string) => string | Buffer) {
  let heard = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let reached = () => {};
  return {
    subscribe() {
      heard += 1;
      if (heard >= wanted) reached();
    },
    hub: {
      command(sns, text) {
        const all = new Promise<void>((done) => {
          reached = done;
        });
        wanted = heard + sns.length;
        for (const [n, sn] of sns.entries()) socket.write(wire(downTopic(sn, 'command'), text.replace('ID', `m-${n}`)));
        return all;
      },
      heard: () => heard,
      stop: () => void socket.destroy(),
    } satisfies Hub,
  };
}

export async function mqttHub(port: number, kind: 'reply' | 'beat'): Promise<Hub> {
  const socket = await open(port);
  const { subscribe, hub } = hubOf(socket, (topic, text) => publishFrame(topic, text, 0, 0));
  socket.write(connectFrame('bench-hub'));
  let rest: Buffer | undefined;
  await new Promise<void>((ready) => {
    socket.on('data', (chunk: Buffer) => {
      rest = eachFrame(rest ? Buffer.concat([rest, chunk]) : chunk, (frame) => {
        if (frame.type === CONNACK) socket.write(subscribeFrame(`d/+/up/${kind}`, kind === 'beat' ? 0 : 1));
        else if (frame.type === SUBACK) ready();
        else if (frame.type === PUBLISH) {
          if (frame.puback) socket.write(frame.puback);
          subscribe();
        }
      });
    });
  });
  return hub;
}

export async function natsHub(port: number): Promise<Hub> {
  const socket = await open(port);
  const { subscribe, hub } = hubOf(socket, natsPublish);
  socket.write(natsConnect('d/*/up/reply'));
  let rest: Buffer | undefined;
  await new Promise<void>((ready) => {
    socket.on('data', (chunk: Buffer) => {
      rest = eachNatsLine(rest ? Buffer.concat([rest, chunk]) : chunk, (word) => {
        if (word === 'PONG') ready();
        else if (word === 'PING') socket.write('PONG\r\n');
        else if (word === 'MSG') subscribe();
      });
    });
  });
  return hub;
}
