import { sql } from 'kysely';
import type { House } from '../house.ts';
import { claimDue, type Due, expireOld, park, unparkMissed, wireOf } from './outbox.ts';
import type { Transport } from './transport.ts';

const CLAIM = 1000;
/** Written to sockets in one go; then others have their turn. */
const AT_ONCE = 100;

export interface SenderOptions {
  readonly pollMs?: number;
  readonly transports: readonly Transport[];
}

/** Sends what is due, several times a second; any number of processes may do so at once (`for update skip locked`). */
export function startOutboxSender(house: House, options: SenderOptions) {
  const { transports } = options;
  const pollMs = options.pollMs ?? 250;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let swept = 0;

  const isSent = (one: Due, now: Date): boolean => {
    const seesConnections = transports.some((transport) => transport.name === 'embedded');
    if (!seesConnections && !one.online) return false;
    const wire = wireOf(one, now);
    return transports.some((transport) => transport.send(one.sn, one.topic, wire));
  };
  /** Hands on what is noted as sent; who isn't there gets it later. */
  const carry = async (due: readonly Due[], now: Date): Promise<void> => {
    const absent: Due[] = [];
    for (let at = 0; at < due.length; at += AT_ONCE) {
      if (at > 0) await new Promise(setImmediate);
      absent.push(...due.slice(at, at + AT_ONCE).filter((one) => !isSent(one, now)));
    }
    if (absent.length > 0) await house.inBulk((db) => park(db, absent));
  };
  const round = async (): Promise<boolean> => {
    const now = house.now();
    const due = await house.inBulk((db) => claimDue(db, now, CLAIM));
    await carry(due, now);
    return due.length === CLAIM;
  };
  const sweep = async () => {
    const now = house.now();
    await expireOld(house, now);
    await house.inBulk((db) => unparkMissed(db, now));
    await house.unscoped((db) => sql`delete from gateway_recent where at < ${now}::timestamptz - interval '7 days'`.execute(db));
  };
  const cut = async () => {
    const cuts = await house.unscoped((db) =>
      sql<{
        sn: string;
      }>`delete from gateway_cut where id in (select id from gateway_cut order by id limit 1000 for update skip locked) returning sn`.execute(
        db,
      ),
    );
    for (const { sn } of cuts.rows) await Promise.all(transports.map((transport) => transport.cut(sn)));
  };
  const once = async () => {
    await cut();
    while (!stopped && (await round())) {
      /* until nothing is due */
    }
    const now = house.now().getTime();
    if (now - swept >= 10_000) {
      swept = now;
      await sweep();
    }
  };
  let running: Promise<void> = Promise.resolve();
  const tick = () => {
    if (stopped) return;
    running = once()
      .catch((error: unknown) => house.log.warn({ error: String(error) }, 'messages to terminals wait'))
      .then(() => {
        if (!stopped) timer = setTimeout(tick, pollMs);
      });
  };
  tick();
  const carrying = new Set<Promise<void>>();
  const closePost = house.post.open((due) => {
    const one = carry(due, house.now())
      .catch((error: unknown) => house.log.warn({ error: String(error) }, 'messages to terminals wait'))
      .finally(() => carrying.delete(one));
    carrying.add(one);
  });
  return {
    async stop(): Promise<void> {
      stopped = true;
      closePost();
      clearTimeout(timer);
      await Promise.all([running, ...carrying]);
    },
  };
}
