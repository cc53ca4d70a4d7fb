import { readFileSync } from 'node:fs';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ackedKinds, downFilter, downTopic, upTopic } from '@mooring/contract/device/topics';
import { obeying } from './child.ts';
import { CONNACK, connectFrame, eachFrame, PUBLISH, SUBACK, subscribeFrame } from './frames.ts';
import { eachNatsLine, natsConnect, natsPublish } from './nats.ts';
import type { Counts, Credential, Order, Plan } from './plan.ts';
import { beat, frameOf, hello, offerTaken, reply, type Saying } from './sayings.ts';
import { fromFactory, type Has } from './what-it-has.ts';

const REPEAT_MS = 5000;
// Short, so that terminals speak one after the other and not all of a moment.
const TICK_MS = 2;
const BURST_WRITE = 4;
const FIRST_FIRMWARE = '1.0.0';

/** A terminal here is a socket, a name, what it has and what it said last: enough of one for a broker that can't tell the difference. */
interface Terminal {
  readonly sn: string;
  readonly socket: Socket;
  readonly has: Has;
  rest: Buffer | undefined;
  newest: number;
}

const terminals: Terminal[] = [];
const open = new Map<string, { terminal: Terminal; saying: Saying; at: number }>();
let plan: Plan;
const counts = { connected: 0, lost: 0, beats: 0, commands: 0, offers: 0, acks: 0, repeated: 0 };

function publish(terminal: Terminal, saying: Saying): void {
  if (plan.protocol === 'nats') return void terminal.socket.write(natsPublish(upTopic(terminal.sn, saying.kind), saying.text));
  if (ackedKinds.includes(saying.kind)) open.set(`${terminal.sn} ${saying.id}`, { terminal, saying, at: Date.now() });
  terminal.socket.write(frameOf(terminal.sn, saying));
}

function take(terminal: Terminal, kind: string, payload: Buffer): void {
  const message = JSON.parse(payload.toString()) as { id: string; data: never };
  if (kind === 'ack') {
    const key = `${terminal.sn} ${(message.data as { id: string }).id}`;
    // Answers alone are counted, and once: what was said again is confirmed again.
    if (open.get(key)?.saying.kind !== 'hello' && open.has(key)) counts.acks += 1;
    open.delete(key);
  } else if (kind === 'offer') {
    counts.offers += 1;
    for (const one of offerTaken(terminal.has, message.data)) publish(terminal, one);
  } else {
    if (kind === 'command') counts.commands += 1;
    publish(terminal, reply(message.id));
  }
}

function listenMqtt(terminal: Terminal, credential: Credential, ready: () => void): void {
  terminal.socket.write(connectFrame(credential.sn, credential.token));
  terminal.socket.on('data', (chunk: Buffer) => {
    const bytes = terminal.rest ? Buffer.concat([terminal.rest, chunk]) : chunk;
    terminal.rest = eachFrame(bytes, (frame) => {
      if (frame.type === CONNACK) terminal.socket.write(subscribeFrame(downFilter(terminal.sn), 1));
      else if (frame.type === SUBACK) ready();
      else if (frame.type === PUBLISH) {
        if (frame.puback) terminal.socket.write(frame.puback);
        take(terminal, frame.topic.slice(frame.topic.lastIndexOf('/') + 1), frame.payload);
      }
    });
  });
}

function listenNats(terminal: Terminal, ready: () => void): void {
  terminal.socket.write(natsConnect(downTopic(terminal.sn, '*')));
  terminal.socket.on('data', (chunk: Buffer) => {
    const bytes = terminal.rest ? Buffer.concat([terminal.rest, chunk]) : chunk;
    terminal.rest = eachNatsLine(bytes, (word, subject, payload) => {
      if (word === 'PONG') ready();
      else if (word === 'PING') terminal.socket.write('PONG\r\n');
      else if (word === 'MSG') take(terminal, subject.slice(subject.lastIndexOf('.') + 1), payload);
    });
  });
}

const join = (credential: Credential) =>
  new Promise<void>((resolve, reject) => {
    const where = { host: '127.0.0.1', port: plan.port, localAddress: plan.source };
    const { tls } = plan;
    // The node that is asked for isn't named in the certificate of a benchmark's broker.
    const socket = tls
      ? connectTls({
          ...where,
          ca: tls.ca,
          ...(credential.cert ? { cert: credential.cert, key: tls.key } : {}),
          checkServerIdentity: () => undefined,
        })
      : connectPlain(where);
    socket.setNoDelay(true);
    const terminal: Terminal = { sn: credential.sn, socket, has: fromFactory(FIRST_FIRMWARE), rest: undefined, newest: 0 };
    let is = false;
    socket.once('error', (error) => reject(new Error(`${credential.sn}: ${error.message}`)));
    socket.once('close', () => {
      if (is) counts.lost += 1;
      reject(new Error(`${credential.sn} was turned away`));
    });
    const ready = () => {
      if (is) return;
      is = true;
      counts.connected += 1;
      terminals.push(terminal);
      if (plan.hello) publish(terminal, hello(terminal.has));
      resolve();
    };
    socket.once(tls ? 'secureConnect' : 'connect', () =>
      plan.protocol === 'nats' ? listenNats(terminal, ready) : listenMqtt(terminal, credential, ready),
    );
  });

async function connectAll(file: string): Promise<void> {
  plan = JSON.parse(readFileSync(file, 'utf8')) as Plan;
  const left = [...plan.terminals];
  const one = async () => {
    for (let next = left.pop(); next; next = left.pop()) await join(next);
  };
  await Promise.all(Array.from({ length: plan.atOnce }, one));
  terminals.sort((a, b) => (a.sn < b.sn ? -1 : 1));
}

/** So many a second by the clock, however late a turn comes. `each` says one thing and answers how many messages that was. */
const pace = (rate: number, seconds: number, each: (terminal: Terminal) => number) =>
  new Promise<void>((resolve) => {
    const started = performance.now();
    let [sent, at] = [0, 0];
    const timer = setInterval(() => {
      const past = Math.min(seconds, (performance.now() - started) / 1000);
      while (sent < past * rate) {
        const terminal = terminals[at % terminals.length];
        at += 1;
        if (terminal) sent += each(terminal);
      }
      if (past < seconds) return;
      clearInterval(timer);
      resolve();
    }, TICK_MS);
  });
const beats = (rate: number, seconds: number, perWrite: number) =>
  pace(rate, seconds, (terminal) => {
    const frames: Buffer[] = [];
    for (let n = 0; n < perWrite; n += 1) {
      // Each is newer than the one before, also within a millisecond.
      terminal.newest = Math.max(terminal.newest + 1, Date.now() - plan.base);
      frames.push(beat(terminal.sn, terminal.newest));
    }
    terminal.socket.write(frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames));
    counts.beats += perWrite;
    return perWrite;
  });

setInterval(() => {
  const now = Date.now();
  for (const one of open.values()) {
    if (now - one.at < REPEAT_MS) continue;
    one.at = now;
    counts.repeated += 1;
    one.terminal.socket.write(frameOf(one.terminal.sn, one.saying));
  }
}, 1000).unref();

async function obey(order: Order): Promise<unknown> {
  if (order.do === 'connect') return connectAll(order.plan);
  if (order.do === 'beats') return beats(order.rate, order.seconds, 1);
  if (order.do === 'burst') return beats(order.rate, order.seconds, BURST_WRITE);
  if (order.do === 'counts') return { ...counts, open: open.size } satisfies Counts;
  if (order.do === 'newest') return terminals.map((one) => [one.sn, one.newest] as const);
  for (const one of terminals.splice(0)) one.socket.destroy();
  open.clear();
  return null;
}

obeying<Order>(obey);
