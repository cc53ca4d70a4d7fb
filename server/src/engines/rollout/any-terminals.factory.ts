import type { Window } from '@mooring/contract/device/messages';
import type { UpKind } from '@mooring/contract/device/topics';
import { isInWindow } from '@mooring/contract/shared/time-window';
import { sql } from 'kysely';
import type { TestApp } from '../../../test/test-app.ts';
import { makeModules } from '../../modules/modules.ts';
import type { Refused } from '../../platform/gateway/message.ts';
import { outboxHandlers } from '../../platform/gateway/outbox.ts';
import { processBatch } from '../../platform/gateway/process-batch.ts';

type Outcome = 'success' | 'failure';
interface Held {
  readonly offer: string;
  window: Window | null;
  ended: Outcome | 'cancelled' | null;
}
/** A terminal that keeps to the protocol: installs in its window alone, and remembers what it was sent. */
export interface Simulated {
  readonly id: number;
  readonly sn: string;
  readonly zone: string;
  readonly offers: Map<string, Held>;
}
/** The last word of an attempt. */
export interface Word {
  readonly at: Date;
  readonly waits: 'window' | 'network' | null;
}

/** Terminals as the gateway hears and reaches them, without a connection. */
export function anyTerminals(app: TestApp, product: () => string) {
  const handlers = [...makeModules(app.context).modules.flatMap((module) => module.messages ?? []), ...outboxHandlers];
  const words = new Map<string, Word>();
  /** What was said of an attempt first. */
  const told = new Map<string, Outcome>();
  let messages = 0;
  const run = <T>(query: ReturnType<typeof sql<T>>) => app.context.unscoped(async (db) => (await query.execute(db)).rows);

  /** False where it isn't listened to: it is disabled or gone. */
  async function say(terminal: Simulated, kind: UpKind, data: object): Promise<boolean> {
    messages += 1;
    let heard = true;
    const refuse = ({ reason }: Refused) => {
      if (reason !== 'unknownDevice') throw new Error(reason);
      heard = false;
    };
    const { now } = app.clock;
    const taken = { sn: terminal.sn, kind, id: `any-${messages}`, at: now, receivedAt: now, data };
    await processBatch({ app: app.context, handlers, refuse, ack() {}, stopped: () => false }, [taken]);
    return heard;
  }
  async function progress(terminal: Simulated, offer: string, phase: string, waits: Word['waits'] = null): Promise<void> {
    const heard = await say(terminal, 'progress', { offer, phase, percent: 0, ...(waits ? { reason: waits } : {}) });
    if (heard) words.set(offer, { at: app.clock.now, waits });
  }
  async function result(terminal: Simulated, offer: string, outcome: Outcome): Promise<void> {
    const heard = await say(terminal, 'result', { offer, outcome, ...(outcome === 'failure' ? { reason: 'installFailed' } : {}) });
    if (heard && !told.has(offer)) told.set(offer, outcome);
  }

  /** What waits for it is delivered, and answered as the protocol says. */
  async function receive(terminal: Simulated): Promise<void> {
    const waiting = await run(
      sql<{ key: string; topic: string; data: { offer: string; window: Window | null } }>`
        select o.key, o.topic, o.data from gateway_outbox o join device_presence p on p.device_id = o.device_id join device d on d.id = o.device_id
        where o.device_id = ${terminal.id} and p.online and d.status = '3' and d.deleted_at is null and o.topic in ('offer', 'cancel') and o.state in ('waiting', 'sent') and o.expires_at > ${app.clock.now}
        order by o.id`,
    );
    for (const { key, topic, data } of waiting) {
      const held = terminal.offers.get(data.offer);
      if (topic === 'offer' && key !== data.offer) {
        if (held) held.window = data.window;
        await say(terminal, 'reply', { to: key, outcome: 'done' });
        continue;
      }
      if (topic === 'cancel') {
        if (held && held.ended === null) held.ended = 'cancelled';
        await say(terminal, 'reply', { to: key, outcome: 'done' });
      } else if (held?.ended === 'success' || held?.ended === 'failure') await result(terminal, data.offer, held.ended);
      else {
        if (!held) terminal.offers.set(data.offer, { offer: data.offer, window: data.window, ended: null });
        await progress(terminal, data.offer, 'received');
      }
    }
  }
  const current = (terminal: Simulated) => [...terminal.offers.values()].find((one) => one.ended === null);
  const isOpen = (terminal: Simulated, window: Window | null) => !window || isInWindow(window, app.clock.now, terminal.zone);

  return {
    words,
    told,
    run,
    say,
    /** Goes on with its oldest offer: waits where its window is shut, else ends it or says how far it is. Answers what it installed. */
    async work(terminal: Simulated, ends: Outcome | null): Promise<string | undefined> {
      await receive(terminal);
      const held = current(terminal);
      if (!held) return undefined;
      if (!isOpen(terminal, held.window)) await progress(terminal, held.offer, 'waiting', 'window');
      else if (ends === null) await progress(terminal, held.offer, 'downloading');
      else {
        held.ended = ends;
        await result(terminal, held.offer, ends);
        return held.offer;
      }
      return undefined;
    },
    async waits(terminal: Simulated): Promise<void> {
      await receive(terminal);
      const held = current(terminal);
      if (held) await progress(terminal, held.offer, 'waiting', 'network');
    },
    /** Says once more, and perhaps otherwise, how something ended. */
    async again(terminal: Simulated, outcome: Outcome): Promise<void> {
      const held = [...terminal.offers.values()].findLast((one) => one.ended === 'success' || one.ended === 'failure');
      if (held) await result(terminal, held.offer, outcome);
    },
    hello: (terminal: Simulated) =>
      say(terminal, 'hello', { product: product(), firmware: '1.0', agent: 'any', capabilities: ['newWindow'], timeZone: terminal.zone }),
    /** Its connection is gone: what it waits for is judged by silence from now on. */
    lost(terminal: Simulated): void {
      for (const { offer } of terminal.offers.values()) {
        const word = words.get(offer);
        if (word?.waits) words.set(offer, { at: app.clock.now, waits: null });
      }
    },
  };
}
