import { Worker } from 'node:worker_threads';
import type { AppContext } from '../../app-context.ts';
import type { Intake } from '../transport.ts';
import type { BrokerOptions, EmbeddedBroker } from './broker.ts';
import type { LeaseTold } from './thread.ts';
import { type Down, gathering, type Setting, type Up } from './wire.ts';

export interface ThreadOptions extends BrokerOptions {
  readonly intake: Intake;
  /** What runs in the thread: `serveBroker` with the handlers of beats. */
  readonly entry: URL;
  readonly app: AppContext;
  /** Beats that the thread took have lengthened these leases. */
  readonly lease: LeaseTold;
}

/** The broker in a thread of its own, spoken with in messages. */
export async function openBrokerThread({ admit, intake, entry, app, lease, ...broker }: ThreadOptions): Promise<EmbeddedBroker> {
  const workerData: Setting = { broker, config: app.config, databaseUrl: app.pools.url, logLevel: app.log.level };
  const thread = new Worker(entry, { workerData, name: 'broker' });
  const tell = gathering<Down>(thread);
  const live = new Set<string>();
  const cuts = new Map<number, () => void>();
  let next = 0;
  let ended = false;

  const ports = await new Promise<readonly [port: number, tlsPort: number | undefined]>((resolve, reject) => {
    /** Answers where the message has no room yet. */
    const take = (one: Up): void | Promise<void> => {
      switch (one[0]) {
        case 'message':
          return intake.message(one[1], Buffer.from(one[2], 'latin1'));
        case 'here':
          live.add(one[1]);
          break;
        case 'gone':
          live.delete(one[1]);
          intake.gone(one[1]);
          break;
        case 'taken':
          intake.taken(one[1]);
          for (const [device, untilMs] of one[2]) lease(device, new Date(untilMs));
          break;
        case 'refused':
          intake.refused({ ...one[1], payload: Buffer.from(one[2], 'latin1') });
          break;
        case 'guarded':
          intake.guarded(one[1], one[2]);
          break;
        case 'admit':
          admit(one[2]).then(
            (admission) => tell(['admitted', one[1], admission]),
            () => tell(['admitted', one[1], undefined]),
          );
          break;
        case 'cut':
          cuts.get(one[1])?.();
          cuts.delete(one[1]);
          break;
        case 'ready':
          thread.removeListener('error', reject);
          resolve([one[1], one[2]]);
          break;
        case 'failed':
          void thread.terminate();
          reject(Object.assign(new Error(one[1]), one[2]));
      }
    };
    // Before it is ready; afterwards nobody listens, and the process ends.
    thread.once('error', reject);
    thread.on('message', (all: readonly Up[]) => {
      const waits = all.map(take).filter((one) => one !== undefined);
      const messages = all.reduce((sum, one) => (one[0] === 'message' ? sum + 1 : sum), 0);
      if (waits.length > 0) void Promise.all(waits).then(() => tell(['room', messages]));
      else if (messages > 0) tell(['room', messages]);
    });
  });
  // Without its broker this server is none; whoever watches over it starts it again.
  const exit = new Promise<void>((resolve) =>
    thread.once('exit', (code) => {
      if (!ended) throw new Error(`the broker ended by itself (${code})`);
      for (const done of cuts.values()) done();
      resolve();
    }),
  );

  return {
    name: 'embedded',
    port: ports[0],
    tlsPort: ports[1],
    connections: () => live.size,
    send(sn, kind, payload) {
      if (!live.has(sn)) return false;
      tell(['send', sn, kind, payload]);
      return true;
    },
    cut: (sn) =>
      new Promise((resolve) => {
        cuts.set(next, resolve);
        tell(['cut', next++, sn]);
      }),
    async stop() {
      ended = true;
      tell(['stop']);
      await exit;
    },
  };
}
