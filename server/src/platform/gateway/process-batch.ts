import { ackedKinds, type UpKind } from '@mooring/contract/device/topics';
import { sql } from 'kysely';
import type { AppContext } from '../app-context.ts';
import type { Db } from '../context.ts';
import { cut } from '../cut.ts';
import { isAway, isOvertaken } from '../db/away.ts';
import type { MessageHandler, Refused, Taken, UpMessage } from './message.ts';
import { endActions } from './outbox.ts';

export interface Processing {
  readonly app: AppContext;
  readonly handlers: readonly MessageHandler[];
  readonly refuse: (refused: Refused) => void;
  readonly ack: (sn: string, id: string) => void;
  readonly stopped: () => boolean;
}

/** Kinds in the order in which a batch is handled: a terminal is here before it reports. */
const order: readonly UpKind[] = ['bye', 'hello', 'beat', 'property', 'event', 'progress', 'log', 'test', 'reply', 'result'];
/** Kinds whose handlers add rows: a repeated message is dropped before them. */
const once: ReadonlySet<UpKind> = new Set(['event', 'log']);
const RETRY_MS = 500;

interface Known {
  readonly id: number;
  readonly dept_path: string;
}

/**
 * Who the batch is from. Their presence is locked in one order: every row that a batch writes belongs to one of its devices, so two batches
 * that meet the same devices go one after the other and never wait crosswise.
 */
async function lookUp(db: Db, sns: readonly string[]): Promise<Map<string, Known>> {
  const found = await sql<Known & { sn: string }>`
    with d as materialized (
      select id, sn, dept_path from device where sn = any(${sns}::text[]) and deleted_at is null and status <> '4'
    ), locked as (
      select device_id from device_presence where device_id = any(array(select id from d)) order by device_id for no key update
    )
    select d.id, d.sn, d.dept_path from d left join locked on locked.device_id = d.id`.execute(db);
  return new Map(found.rows.map((row) => [row.sn, row]));
}

async function firstTimers(db: Db, messages: readonly UpMessage[]): Promise<UpMessage[]> {
  const fresh = await sql<{ device_id: number; key: string }>`
    insert into gateway_recent (device_id, key)
    select distinct * from unnest(${messages.map((one) => one.deviceId)}::bigint[], ${messages.map((one) => one.id)}::text[])
    on conflict do nothing returning device_id, key`.execute(db);
  const keys = new Set(fresh.rows.map((row) => `${row.device_id} ${row.key}`));
  // The same message twice in one batch counts once.
  return messages.filter((one) => keys.delete(`${one.deviceId} ${one.id}`));
}

/** How far they are with what ends in the same batch is past. */
function stillOnTheWay(progress: readonly UpMessage<'progress'>[], results: readonly UpMessage<'result'>[]): UpMessage[] {
  const ended = new Set(results.map((one) => `${one.deviceId} ${one.data.offer}`));
  return progress.filter((one) => !ended.has(`${one.deviceId} ${one.data.offer}`));
}

/** One transaction for the whole batch. Answers what isn't from a device that is known and may speak, and what handlers refused. */
async function inOneTx(processing: Processing, batch: readonly Taken[]): Promise<{ unknownDevices: Taken[]; refused: Refused[] }> {
  return processing.app.inBulk(async (db) => {
    const devices = await lookUp(db, [...new Set(batch.map((one) => one.sn))]);
    const unknownDevices: Taken[] = [];
    const refused: Refused[] = [];
    const byKind = new Map<UpKind, UpMessage[]>();
    for (const taken of batch) {
      const device = devices.get(taken.sn);
      if (!device) {
        unknownDevices.push(taken);
        continue;
      }
      const list = byKind.get(taken.kind) ?? [];
      list.push({ ...taken, deviceId: device.id, deptPath: device.dept_path } as UpMessage);
      byKind.set(taken.kind, list);
    }
    const results = (byKind.get('result') ?? []) as UpMessage<'result'>[];
    const progress = (byKind.get('progress') ?? []) as UpMessage<'progress'>[];
    // Before their hello asks for all that isn't answered.
    if (results.length + progress.length > 0) await endActions(db, [...progress, ...results]);
    byKind.set('progress', stillOnTheWay(progress, results));
    const found: UpMessage[] = [];
    for (const kind of order) {
      const all = byKind.get(kind) ?? [];
      const fresh = once.has(kind) && all.length > 0 ? await firstTimers(db, all) : all;
      const messages = kind === 'event' ? [...fresh, ...found] : fresh;
      if (messages.length === 0) continue;
      for (const handler of processing.handlers) {
        if (handler.kind === kind) found.push(...((await handler.handle(db, messages, processing.app, (one) => refused.push(one))) ?? []));
      }
    }
    return { unknownDevices, refused };
  });
}

/**
 * Handles a batch and acknowledges it after the commit. While the database is away the batch waits, and the queue behind it holds the
 * senders back; a message that can't be handled is kept with its reason, and the others of its batch go on without it.
 */
export async function processBatch(processing: Processing, batch: readonly Taken[]): Promise<void> {
  const { app, refuse, ack, stopped } = processing;
  try {
    const { unknownDevices, refused } = await inOneTx(processing, batch);
    for (const one of refused) refuse(one);
    for (const one of unknownDevices)
      refuse({ sn: one.sn, kind: one.kind, reason: 'unknownDevice', payload: Buffer.from(JSON.stringify(one.data)) });
    const silent = new Set(unknownDevices);
    for (const one of batch) if (ackedKinds.includes(one.kind) && !silent.has(one)) ack(one.sn, one.id);
  } catch (error) {
    if (isAway(error) || isOvertaken(error)) {
      if (stopped()) return;
      app.log.warn({ error: String(error) }, 'messages wait for the database');
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return processBatch(processing, batch);
    }
    const [only] = batch;
    if (batch.length > 1) {
      // By halves: what spoils a batch is found in few steps, and the others stay together.
      const half = Math.ceil(batch.length / 2);
      await processBatch(processing, batch.slice(0, half));
      await processBatch(processing, batch.slice(half));
    } else if (only) {
      app.log.error({ err: error, sn: only.sn, kind: only.kind }, 'message not handled');
      refuse({
        sn: only.sn,
        kind: only.kind,
        reason: `handler: ${cut(String((error as Error).message), 200)}`,
        payload: Buffer.from(JSON.stringify(only.data)),
      });
      // It would fail again however often it is repeated.
      if (ackedKinds.includes(only.kind)) ack(only.sn, only.id);
    }
  }
}
