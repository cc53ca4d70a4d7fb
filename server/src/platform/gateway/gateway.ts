import { PROTOCOL_VERSION } from '@mooring/contract/device/limits';
import type { UpKind } from '@mooring/contract/device/topics';
import type { AppContext } from '../app-context.ts';
import { batchBeats } from './beats.ts';
import { budgets } from './budget.ts';
import { intakeQueue, laneOf } from './intake-queue.ts';
import { handleMessage, type MessageHandler, type Taken, whereOf } from './message.ts';
import { outboxHandlers } from './outbox.ts';
import { type BeforeSending, startOutboxSender } from './outbox-sender.ts';
import { type Processing, processBatch } from './process-batch.ts';
import { keepRefusals } from './refusals.ts';
import type { Intake, Transport } from './transport.ts';

export interface GatewayOptions {
  readonly app: AppContext;
  readonly handlers: readonly MessageHandler[];
  /** Opens a way to the terminals over this intake. */
  readonly transports: readonly ((intake: Intake) => Promise<Transport>)[];
  readonly pollMs?: number;
  readonly beforeSending?: BeforeSending;
}
export interface Gateway {
  readonly transports: readonly Transport[];
  readonly figures: () => { connections: number; queued: number; beats: number; taken: number; refused: Record<string, number> };
  stop(): Promise<void>;
}

const QUEUE_LIMIT = 20_000;
const BATCH = 1000;
// Two, so that one batch is read while the other commits.
const LANES = 2;
/** Who comes alone is handled at once. */
const CROWD = { from: 16, waitMs: 10 };

/** Messages in, messages out, whatever carries them. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { app } = options;
  let stopped = false;
  let taken = 0;
  const refusals = keepRefusals(app);
  const budget = budgets();
  const transports: Transport[] = [];
  const processing: Processing = {
    app,
    handlers: [...outboxHandlers, ...options.handlers],
    refuse: refusals.add,
    stopped: () => stopped,
    ack(sn, id) {
      const wire = JSON.stringify({ v: PROTOCOL_VERSION, id: `a-${id}`.slice(0, 64), at: app.now().toISOString(), data: { id } });
      for (const transport of transports) if (transport.send(sn, 'ack', wire)) return;
    },
  };
  const lanes = Array.from({ length: LANES }, () =>
    intakeQueue<Taken>({
      limit: QUEUE_LIMIT / LANES,
      batch: BATCH,
      lanes: 1,
      crowd: CROWD,
      work: (batch) => processBatch(processing, batch),
    }),
  );
  // What one terminal says stays in its order, and two batches under way never wait for each other's terminals.
  const queue = (one: Taken) => lanes[laneOf(one.sn, LANES)]?.push(one);

  /** Undefined where it was refused. */
  const read = (sn: string, kind: UpKind, payload: Buffer, at: Date): Taken | undefined => {
    const message = handleMessage(refusals.add, sn, kind, payload, at);
    if (message) taken += 1;
    return message;
  };
  const beats = batchBeats(
    (sn, payload, at) => read(sn, 'beat', payload, at),
    (batch) => processBatch(processing, batch),
  );

  const intake: Intake = {
    message(topic, payload) {
      const where = whereOf(topic, payload);
      if ('refused' in where) return refusals.add(where.refused);
      const over = budget.refusal(where.sn, where.kind, payload);
      if (over) return refusals.add(over);
      if (where.kind === 'beat') return beats.add(where.sn, payload, app.now());
      const message = read(where.sn, where.kind, payload, app.now());
      if (message) return queue(message);
    },
    gone(sn) {
      // Our own stop isn't their absence: they come back to the next process.
      if (stopped) return;
      const now = app.now();
      void queue({ sn, kind: 'bye', id: 'gone', at: now, receivedAt: now, data: { reason: 'connectionLost' } });
    },
    taken(messages) {
      taken += messages;
    },
    refused: refusals.add,
    guarded: refusals.guarded,
  };

  for (const open of options.transports) transports.push(await open(intake));
  const { beforeSending } = options;
  const sender = startOutboxSender(app, { transports, beforeSending, ...(options.pollMs ? { pollMs: options.pollMs } : {}) });

  return {
    transports,
    figures: () => ({
      connections: transports.reduce((sum, one) => sum + one.connections(), 0),
      queued: lanes.reduce((sum, one) => sum + one.size(), 0),
      beats: beats.size(),
      taken,
      refused: Object.fromEntries(refusals.counts()),
    }),
    async stop() {
      stopped = true;
      await Promise.all(transports.map((transport) => transport.stop()));
      await sender.stop();
      await beats.stop();
      await Promise.all(lanes.map((lane) => lane.stop()));
      await refusals.stop();
    },
  };
}
