import type { deviceHistoryCalls } from '@mooring/contract/device/history-calls';
import { sql } from 'kysely';
import type { Ctx } from '../../../platform/context.ts';
import type { Handler } from '../../../platform/module.ts';
import { counter } from './record-health.ts';

const HOUR_MS = 3_600_000;

interface Sample {
  at: Date;
  battery: number | null;
  charging: boolean | null;
  network: string | null;
  signal: number | null;
  storage_total: number | null;
  storage_free: number | null;
  temperature: number | null;
  received: number | null;
  sent: number | null;
}

/** What was kept of a device within these days, by hour; under the key of now what it told last. */
async function samplesOf(ctx: Ctx, id: number, days: number): Promise<{ hours: readonly number[]; of: ReadonlyMap<number, Sample> }> {
  const now = ctx.now().getTime();
  const first = Math.floor(now / HOUR_MS) * HOUR_MS - days * 24 * HOUR_MS + HOUR_MS;
  const { rows } = await sql<Sample>`
    select at, battery, charging, network, signal, storage_total, storage_free, temperature, received, sent from device_health
    where device_id = ${id} and at >= ${new Date(first - HOUR_MS)} and at <= ${ctx.now()} order by at`.execute(ctx.db);
  const newest = await sql<Sample>`
    select seen_at as at, battery, charging, network, signal, storage_total, storage_free, temperature,
      ${counter('rxBytes')} as received, ${counter('txBytes')} as sent from device_presence p
    where device_id = ${id} and seen_at > ${new Date(now - HOUR_MS)} and seen_at <= ${ctx.now()}`.execute(ctx.db);
  const of = new Map(rows.map((row) => [row.at.getTime(), row]));
  const [latest] = newest.rows;
  if (latest) of.set(now, latest);
  return { hours: [...Array.from({ length: days * 24 }, (_, at) => first + at * HOUR_MS), now], of };
}

export const deviceHealth: Handler<typeof deviceHistoryCalls.health> = async (ctx, { id, days }) => {
  const { hours, of } = await samplesOf(ctx, id, Number(days));
  return {
    content: hours.map((at) => {
      const one = of.get(at);
      return {
        at: new Date(at),
        battery: one?.battery ?? null,
        charging: one?.charging ?? null,
        network: one?.network ?? null,
        signal: one?.signal ?? null,
        storageTotal: one?.storage_total ?? null,
        storageFree: one?.storage_free ?? null,
        temperature: one?.temperature ?? null,
      };
    }),
  };
};

/** A counter that is less than before has begun anew. */
const grown = (now: number | null | undefined, before: number | null | undefined): number | null =>
  now === null || now === undefined || before === null || before === undefined ? null : now >= before ? now - before : now;

export const deviceTransport: Handler<typeof deviceHistoryCalls.transport> = async (ctx, { id, days }) => {
  const { hours, of } = await samplesOf(ctx, id, Number(days));
  let before = of.get((hours[0] ?? 0) - HOUR_MS);
  return {
    content: hours.map((at) => {
      const one = of.get(at);
      const answer = { at: new Date(at), received: grown(one?.received, before?.received), sent: grown(one?.sent, before?.sent) };
      before = one ?? before;
      return answer;
    }),
  };
};
