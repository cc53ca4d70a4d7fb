import { parentPort, workerData } from 'node:worker_threads';
import type { Admission, Presented } from '../identity.ts';
import type { Intake } from '../transport.ts';
import { openBroker } from './broker.ts';
import { type Down, gathering, type Setting, type Up } from './wire.ts';

if (!parentPort) throw new Error('a thread of the server');
const house = parentPort;
const tell = gathering<Up>(house);

/** So many messages that the house has no room for are under way; then the terminals are held back. */
const UNDER_WAY = 5000;
let underWay = 0;
let waiters: (() => void)[] = [];

const intake: Intake = {
  message(topic, payload) {
    tell(['message', topic, payload.toString('latin1')]);
    underWay += 1;
    if (underWay >= UNDER_WAY) return new Promise<void>((resolve) => waiters.push(resolve));
  },
  gone: (sn) => tell(['gone', sn]),
  guarded: (sn, what) => tell(['guarded', sn, what]),
};

const asked = new Map<number, { resolve(admission: Admission): void; reject(error: Error): void }>();
let next = 0;
const admit = (presented: Presented) =>
  new Promise<Admission>((resolve, reject) => {
    const id = next++;
    asked.set(id, { resolve, reject });
    tell(['admit', id, presented]);
  });

const failed = (error: NodeJS.ErrnoException & { port?: number }): undefined => {
  const { code, port } = error;
  tell(['failed', error.message, { ...(code ? { code } : {}), ...(port ? { port } : {}) }]);
};
const broker = await openBroker({ ...(workerData as Setting), admit, intake, here: (sn) => tell(['here', sn]) }).catch(failed);

function take(one: Down): void {
  switch (one[0]) {
    case 'send':
      broker?.send(one[1], one[2], one[3]);
      break;
    case 'admitted':
      if (one[2]) asked.get(one[1])?.resolve(one[2]);
      else asked.get(one[1])?.reject(new Error('unavailable'));
      asked.delete(one[1]);
      break;
    case 'room': {
      underWay -= one[1];
      if (underWay >= UNDER_WAY) break;
      const freed = waiters;
      waiters = [];
      for (const free of freed) free();
      break;
    }
    case 'cut':
      void broker?.cut(one[2]).then(() => tell(['cut', one[1]]));
      break;
    case 'stop':
      // What was said until now is told before.
      void broker?.stop().then(() => setImmediate(() => process.exit()));
  }
}

if (broker) {
  house.on('message', (all: readonly Down[]) => all.forEach(take));
  tell(['ready', broker.port, broker.tlsPort]);
}
