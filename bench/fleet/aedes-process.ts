import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { downTopic } from '@mooring/contract/device/topics';
import { Aedes } from 'aedes';
import { obeying } from './child.ts';

/** The broker that the server is built on, alone: nobody is asked who they are, nothing is kept. */
export type AedesOrder =
  | { readonly do: 'listen'; readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string } }
  /** Publishes to each; done when as many answers have come. */
  | { readonly do: 'command'; readonly sns: readonly string[]; readonly text: string };

const SLICE = 500;

// With its usual limit of a hundred, messages that wait are let go one inside the other, until the stack is too deep.
const broker = await Aedes.createBroker({ concurrency: 0 });
broker.on('clientError', () => {});
broker.on('connectionError', () => {});
let answers = 0;
let all: { count: number; done: () => void } | undefined;
broker.authorizePublish = (_client, packet, done) => {
  if (packet.topic.endsWith('/up/reply')) {
    answers += 1;
    if (all && answers >= all.count) all.done();
  }
  done(null);
};

async function obey(order: AedesOrder): Promise<unknown> {
  if (order.do === 'listen') {
    const take = (socket: Socket) => {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      broker.handle(socket);
    };
    const server = order.tls
      ? createTlsServer({ ...order.tls, requestCert: true, rejectUnauthorized: false, minVersion: 'TLSv1.2' }, take)
      : createServer(take);
    await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => resolve()));
    return (server.address() as { port: number }).port;
  }
  answers = 0;
  const answered = new Promise<void>((done) => {
    all = { count: order.sns.length, done };
  });
  for (const [n, sn] of order.sns.entries()) {
    // All in one turn end in a stack that is too deep.
    if (n % SLICE === 0) await new Promise(setImmediate);
    broker.publish(
      { cmd: 'publish', topic: downTopic(sn, 'command'), payload: order.text.replace('ID', `m-${n}`), qos: 0, retain: false, dup: false },
      () => {},
    );
  }
  await answered;
  return null;
}
obeying<AedesOrder>(obey);
