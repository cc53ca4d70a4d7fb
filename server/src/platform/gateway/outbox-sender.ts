import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import type { Db } from '../context.ts';
import { claimDue, type Due, expireOld, hasDue, park, unparkMissed, wireOf } from './outbox.ts';
import { openSettings } from './sealed-settings.ts';
import type { Transport } from './transport.ts';

const CLAIM = 1000;
/** Written to sockets in one go; then others have their turn. */
const AT_ONCE = 100;

export interface SenderOptions {
  readonly pollMs?: number;
  readonly transports: readonly Transport[];
  readonly beforeSending?: BeforeSending | undefined;
}
/** Looks once more at what is about to be sent, in the transaction that notes it as sent; ends what is not to go, and answers the rest. */
export type BeforeSending = (db: Db, app: AppContext, due: readonly Due[]) => Promise<readonly Due[]>;

/** Sends what is due, several times a second; any number of processes may do so at once (`for update skip locked`). */
export function startOutboxSender(app: AppContext, options: SenderOptions) {
  const { transports } = options;
  const pollMs = options.pollMs ?? 250;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let swept = 0;

  /** One that can't be opened keeps nobody else waiting. */
  const opened = (one: Due) => {
    try {
      return openSettings(app.masterKey, one.data);
    } catch (error) {
      app.log.error({ error: String(error), message: one.id }, 'a message that is sealed can’t be opened');
      return undefined;
    }
  };
  const isSent = (one: Due, now: Date): boolean => {
    const seesConnections = transports.some((transport) => transport.name === 'embedded');
    if (!seesConnections && !one.online) return false;
    const data = opened(one);
    if (data === undefined) return false;
    const wire = wireOf({ ...one, data }, now);
    return transports.some((transport) => transport.send(one.sn, one.topic, wire));
  };
  /** Hands on what is noted as sent; who isn't there gets it later. */
  const carry = async (due: readonly Due[], now: Date): Promise<void> => {
    const absent: Due[] = [];
    for (let at = 0; at < due.length; at += AT_ONCE) {
      if (at > 0) await new Promise(setImmediate);
      absent.push(...due.slice(at, at + AT_ONCE).filter((one) => !isSent(one, now)));
    }
    if (absent.length > 0) await app.inBulk((db) => park(db, absent));
  };
  const round = async (): Promise<boolean> => {
    const now = app.now();
    const { claimed, due } = await app.inBulk(async (db) => {
      const found = await claimDue(db, now, CLAIM);
      return { claimed: found.length, due: options.beforeSending ? await options.beforeSending(db, app, found) : found };
    });
    await carry(due, now);
    return claimed === CLAIM;
  };
  const sweep = async () => {
    const now = app.now();
    await expireOld(app, now);
    await app.inBulk((db) => unparkMissed(db, now));
  };
  const cut = async () => {
    const cuts = await app.unscoped((db) =>
      sql<{
        sn: string;
      }>`delete from gateway_cut where id in (select id from gateway_cut order by id limit 1000 for update skip locked) returning sn`.execute(
        db,
      ),
    );
    for (const { sn } of cuts.rows) await Promise.all(transports.map((transport) => transport.cut(sn)));
  };
  const once = async () => {
    const waits = await app.readInBulk((db) => hasDue(db, app.now()));
    if (waits.cut) await cut();
    if (waits.due)
      while (!stopped && (await round())) {
        /* until nothing is due */
      }
    const now = app.now().getTime();
    if (now - swept >= 10_000) {
      swept = now;
      await sweep();
    }
  };
  let running: Promise<void> = Promise.resolve();
  const tick = () => {
    if (stopped) return;
    running = once()
      .catch((error: unknown) => app.log.warn({ error: String(error) }, 'messages to terminals wait'))
      .then(() => {
        if (!stopped) timer = setTimeout(tick, pollMs);
      });
  };
  tick();
  const carrying = new Set<Promise<void>>();
  const closeDispatcher = app.dispatcher.open((due) => {
    const one = carry(due, app.now())
      .catch((error: unknown) => app.log.warn({ error: String(error) }, 'messages to terminals wait'))
      .finally(() => carrying.delete(one));
    carrying.add(one);
  });
  return {
    async stop(): Promise<void> {
      stopped = true;
      closeDispatcher();
      clearTimeout(timer);
      await Promise.all([running, ...carrying]);
    },
  };
}
