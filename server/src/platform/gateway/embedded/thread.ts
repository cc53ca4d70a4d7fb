import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { type AppContext, createApp } from '../../app-context.ts';
import { openMasterKey } from '../../config/open-master-key.ts';
import { followDatabaseClock } from '../../database-clock.ts';
import { openPools } from '../../db/pools.ts';
import { batchBeats } from '../beats.ts';
import { budgets } from '../budget.ts';
import type { Admission, Presented } from '../identity.ts';
import { handleMessage, type MessageHandler, type Refused, whereOf } from '../message.ts';
import { processBatch } from '../process-batch.ts';
import { type BrokerOptions, openBroker } from './broker.ts';
import { type Down, gathering, type Lease, type Setting, type Up } from './wire.ts';

/** So many messages that the server has no room for are under way; then the terminals are held back. */
const UNDER_WAY = 5000;
/** A connection for the batch under way, and what the pools keep besides. */
const CONNECTIONS = 2;

type ThreadMessage = (one: Up) => void;
export type LeaseTold = (device: number, until: Date) => void;
type BeatHandlers = (lease: LeaseTold) => readonly MessageHandler[];

/** A server for beats alone: with its own connections, so that nothing of them passes the thread that answers the console. */
async function openApp({ config, databaseUrl, logLevel }: Setting) {
  const log = pino({ level: logLevel }, pino.destination({ dest: 2, sync: false }));
  const onError = (error: Error) => log.warn({ error: error.message }, 'database connection lost');
  const pools = openPools(databaseUrl, { max: CONNECTIONS, onError });
  const clock = await followDatabaseClock(pools.owner, log);
  const app = createApp({ config, pools, masterKey: await openMasterKey(pools.owner, config), log, now: clock.now });
  return {
    app,
    async end() {
      clock.stop();
      await pools.end();
    },
  };
}

/** Holds terminals back while too much of what they said is on its way. */
function roomFor(most: number) {
  let underWay = 0;
  let waiters: (() => void)[] = [];
  return {
    taken(): void | Promise<void> {
      underWay += 1;
      if (underWay >= most) return new Promise<void>((resolve) => waiters.push(resolve));
    },
    free(messages: number) {
      underWay -= messages;
      if (underWay >= most) return;
      const freed = waiters;
      waiters = [];
      for (const free of freed) free();
    },
  };
}

/** Asks the server who may connect. */
function asking(tell: ThreadMessage) {
  const asked = new Map<number, { resolve(admission: Admission): void; reject(error: Error): void }>();
  let next = 0;
  return {
    admit: (presented: Presented) =>
      new Promise<Admission>((resolve, reject) => {
        const id = next++;
        asked.set(id, { resolve, reject });
        tell(['admit', id, presented]);
      }),
    answer(id: number, admission: Admission | undefined) {
      if (admission) asked.get(id)?.resolve(admission);
      else asked.get(id)?.reject(new Error('unavailable'));
      asked.delete(id);
    },
  };
}

const refusing =
  (tell: ThreadMessage) =>
  ({ payload, ...refused }: Refused) =>
    tell(['refused', refused, payload.toString('latin1')]);

/** Beats, taken here: read, written, and the leases told that they lengthen. */
function beatsOf(app: AppContext, tell: ThreadMessage, handlersOf: BeatHandlers, stopped: () => boolean) {
  let leases: Lease[] = [];
  const refuse = refusing(tell);
  const handlers = handlersOf((device, until) => void leases.push([device, until.getTime()]));
  return batchBeats(
    (sn, payload, at) => handleMessage(refuse, sn, 'beat', payload, at),
    async (batch) => {
      await processBatch({ app, handlers, refuse, ack() {}, stopped }, batch);
      tell(['taken', batch.length, leases]);
      leases = [];
    },
  );
}

/** The broker's thread: messages pass to the server, beats are taken here by these handlers. */
export async function serveBroker(handlers: BeatHandlers): Promise<void> {
  const main = parentPort;
  if (!main) throw new Error('a thread of the server');
  const setting = workerData as Setting;
  const tell = gathering<Up>(main);
  const { app, end } = await openApp(setting);
  let isStopped = false;
  const beats = beatsOf(app, tell, handlers, () => isStopped);
  const room = roomFor(UNDER_WAY);
  const door = asking(tell);
  const budget = budgets();
  const refuse = refusing(tell);
  const intake: BrokerOptions['intake'] = {
    message(topic, payload) {
      const where = whereOf(topic, payload);
      if ('kind' in where && where.kind === 'beat') {
        const over = budget.refusal(where.sn, where.kind, payload);
        if (over) return refuse(over);
        return beats.add(where.sn, payload, app.now());
      }
      tell(['message', topic, payload.toString('latin1')]);
      return room.taken();
    },
    gone: (sn) => tell(['gone', sn]),
    guarded: (sn, what) => tell(['guarded', sn, what]),
  };
  const failed = (error: NodeJS.ErrnoException & { port?: number }): undefined => {
    const { code, port } = error;
    tell(['failed', error.message, { ...(code ? { code } : {}), ...(port ? { port } : {}) }]);
  };
  const broker = await openBroker({ ...setting.broker, admit: door.admit, intake, here: (sn) => tell(['here', sn]) }).catch(failed);
  if (!broker) return;
  const stop = async () => {
    isStopped = true;
    await broker.stop();
    await beats.stop();
    await end();
    // What was said until now is told before.
    setImmediate(() => process.exit());
  };
  const take = (one: Down): void => {
    switch (one[0]) {
      case 'send':
        broker.send(one[1], one[2], one[3]);
        break;
      case 'admitted':
        door.answer(one[1], one[2]);
        break;
      case 'room':
        room.free(one[1]);
        break;
      case 'cut':
        void broker.cut(one[2]).then(() => tell(['cut', one[1]]));
        break;
      case 'stop':
        void stop();
    }
  };
  main.on('message', (all: readonly Down[]) => all.forEach(take));
  tell(['ready', broker.port, broker.tlsPort]);
}
