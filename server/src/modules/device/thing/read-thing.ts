import { isDeepStrictEqual } from 'node:util';
import { wrongAnswer, wrongInput, wrongToSet } from '@mooring/contract/device/thing/check-values';
import { deviceThingCalls, type LiveProperty, type ServiceCall, type ThingState } from '@mooring/contract/device/thing/thing-calls';
import { emptyModel, type ThingModel, type ThingProperty, valueFault } from '@mooring/contract/product/thing-model';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../../platform/allowed-actions.ts';
import type { Db } from '../../../platform/context.ts';
import { DONE_LATE } from '../../../platform/gateway/handle-replies.ts';
import type { Handler } from '../../../platform/module.ts';
import { thingOf, valuesOf } from './thing-rows.ts';

type Json = z.infer<ReturnType<typeof z.json>>;
interface Row {
  readonly id: number;
  readonly state: ServiceCall['state'];
  readonly data: { readonly params?: { readonly service?: string; readonly input?: Record<string, Json> } };
  readonly actor_name: string | null;
  readonly created_at: Date;
  readonly sent_at: Date | null;
  readonly answered_at: Date | null;
  readonly expires_at: Date;
  readonly reason: string | null;
  readonly message: string | null;
  readonly output: Json;
}
/** Ended ones that are looked at, beside all that are open: what a property was wanted to be before those is long settled. */
const SETS = 50;
/** Of each service. */
const CALLS = 10;

const columns = sql`o.id, o.state, o.data, o.actor_name, o.created_at, o.sent_at, o.answered_at, o.expires_at, o.reason, o.message, o.output`;
const asked = (deviceId: number, kind: 'propertySet' | 'propertyGet' | 'serviceCall') =>
  sql`gateway_outbox o where o.device_id = ${deviceId} and o.topic = 'command' and o.kind = ${kind} and o.kind in ('propertySet', 'propertyGet', 'serviceCall')`;
const open = sql`o.state in ('waiting', 'sent')`;

async function setsOf(db: Db, deviceId: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    (select ${columns} from ${asked(deviceId, 'propertySet')} and ${open})
    union all (select ${columns} from ${asked(deviceId, 'propertySet')} and not ${open} order by o.id desc limit ${SETS})
    order by id desc`.execute(db);
  return rows;
}
async function callsOf(db: Db, deviceId: number, services: readonly string[]): Promise<Row[]> {
  if (services.length === 0) return [];
  const ofService = sql`${asked(deviceId, 'serviceCall')} and o.data -> 'params' ->> 'service' = s.id`;
  const { rows } = await sql<Row>`
    select c.* from unnest(${[...services]}::text[]) as s(id) cross join lateral (
      (select ${columns} from ${ofService} and ${open})
      union all (select ${columns} from ${ofService} and not ${open} order by o.id desc limit ${CALLS})
    ) c order by c.id desc`.execute(db);
  return rows;
}
async function newestRequest(db: Db, deviceId: number): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select ${columns} from ${asked(deviceId, 'propertyGet')} order by o.id desc limit 1`.execute(db);
  return rows[0];
}
const askedOf = (row: Row) => ({
  commandId: row.id,
  state: row.state,
  by: row.actor_name,
  at: row.created_at.toISOString(),
  answeredAt: row.answered_at?.toISOString() ?? null,
  expiresAt: row.expires_at.toISOString(),
  reason: row.reason,
  message: row.message,
});

interface Reported {
  readonly properties: Readonly<Record<string, Json>>;
  readonly times: Readonly<Record<string, string>>;
}
async function reportedOf(db: Db, deviceId: number): Promise<Reported> {
  const { rows } = await sql<{ properties: Record<string, Json> | null; properties_at: Record<string, string> | null }>`
    select properties, properties_at from device_presence where device_id = ${deviceId}`.execute(db);
  return { properties: rows[0]?.properties ?? {}, times: rows[0]?.properties_at ?? {} };
}
const own = <T>(of: Readonly<Record<string, T>>, id: string): T | undefined => (Object.hasOwn(of, id) ? of[id] : undefined);

const isOpen = ({ state }: Row) => state === 'waiting' || state === 'sent';

/** From when on what the terminal tells is the last word on what has ended. It tells the new value before it replies. */
function endOf({ state, reason, sent_at, answered_at, created_at, expires_at }: Row): Date {
  if (reason === DONE_LATE || state === 'done') return sent_at ?? created_at;
  if (state === 'failed') return answered_at ?? sent_at ?? created_at;
  return expires_at;
}
/** What the terminal told last of the property that was set. */
interface Told {
  readonly reportedAt: string | undefined;
  readonly isAsWanted: boolean;
}
/** Whether a set that has ended needs no word any more. */
function isSettled(row: Row, { reportedAt, isAsWanted }: Told, now: Date): boolean {
  if (isOpen(row)) return false;
  if (row.state === 'withdrawn') return true;
  // It may never have reached the terminal: what it says is an answer where it says just that.
  if (row.state === 'failed' && row.answered_at === null) return row.expires_at < now || (row.sent_at !== null && isAsWanted);
  return reportedAt !== undefined && Date.parse(reportedAt) >= endOf(row).getTime();
}

/** What a set that still waits holds that no longer fits: of this property first, since one that is wrong fails all of them. */
function misfitOf(model: ThingModel, id: string, row: Row) {
  const misfits = wrongToSet(model, valuesOf(row.data));
  return misfits.find(({ at }) => at === id || at.startsWith(`${id}.`) || at.startsWith(`${id}[`)) ?? misfits[0] ?? null;
}

/** The newest set of a property that is open, or else the newest, unless it is settled: told since, given up, or replaced. */
function wantedOf(
  model: ThingModel,
  property: ThingProperty,
  sets: readonly Row[],
  { properties, times }: Reported,
  now: Date,
): LiveProperty['wanted'] {
  const of = sets.filter((one) => Object.hasOwn(valuesOf(one.data), property.id));
  const row = of.find(isOpen) ?? of[0];
  if (!row) return null;
  const value = valuesOf(row.data)[property.id] as Json;
  const told = { reportedAt: own(times, property.id), isAsWanted: isDeepStrictEqual(own(properties, property.id), value) };
  if (isSettled(row, told, now)) return null;
  return { ...askedOf(row), value, misfit: isOpen(row) ? misfitOf(model, property.id, row) : null };
}

/** The newest request: while it waits, and where it came to nothing until the terminal tells something. */
function requestOf(row: Row | undefined, { times }: Reported): ThingState['asked'] {
  if (!row) return null;
  const isLost = row.state === 'failed' || row.state === 'expired';
  const isTold = Object.values(times).some((at) => Date.parse(at) >= endOf(row).getTime());
  return isOpen(row) || (isLost && !isTold) ? askedOf(row) : null;
}

function propertiesOf(model: ThingModel, { properties, times }: Reported, sets: readonly Row[], now: Date): LiveProperty[] {
  return model.properties.map((property) => {
    const reported = Object.hasOwn(properties, property.id);
    const value = own(properties, property.id) ?? null;
    const misfit = reported ? (valueFault(property.dataType, value, '') ?? null) : null;
    const at = own(times, property.id);
    return {
      ...property,
      value,
      reported,
      reportedAt: at ?? null,
      misfit,
      wanted: wantedOf(model, property, sets, { properties, times }, now),
    };
  });
}

const servicesOf = (model: ThingModel, rows: readonly Row[]): ThingState['services'] =>
  model.services.map((service) => ({
    ...service,
    calls: rows
      .filter((row) => row.data.params?.service === service.id)
      .map((row): ServiceCall => {
        const output = row.output ?? null;
        const input = row.data.params?.input ?? {};
        const misfits = row.state === 'done' ? wrongAnswer(service.output, output) : isOpen(row) ? wrongInput(service, input) : [];
        return { ...askedOf(row), service: service.id, input, output, misfits };
      }),
  }));

/** The published model of the terminal's product, joined with what it last said and what was asked of it. */
export const readThing: Handler<typeof deviceThingCalls.read> = async (ctx, { id }) => {
  const thing = await thingOf(ctx.db, id);
  const model = thing.model ?? emptyModel;
  const reported = await reportedOf(ctx.db, id);
  const sets = await setsOf(ctx.db, id);
  const called = await callsOf(
    ctx.db,
    id,
    model.services.map((one) => one.id),
  );
  const known = new Set(model.properties.map((one) => one.id));
  const { set, request, call } = deviceThingCalls;
  const speaks = thing.model !== null && thing.deleted_at === null && thing.status !== '4';
  return {
    productId: thing.product_id,
    productName: thing.product_name ?? '',
    version: thing.version,
    publishedAt: thing.published_at?.toISOString() ?? null,
    properties: propertiesOf(model, reported, sets, ctx.now()),
    others: Object.entries(reported.properties)
      .filter(([name]) => !known.has(name))
      .sort(([one], [other]) => one.localeCompare(other, 'en'))
      .map(([name, value]) => ({ id: name, value, reportedAt: own(reported.times, name) ?? null })),
    services: servicesOf(model, called),
    events: model.events,
    can: {
      set: thing.capabilities.includes('propertySet'),
      get: thing.capabilities.includes('propertyGet'),
      call: thing.capabilities.includes('serviceCall'),
    },
    asked: requestOf(await newestRequest(ctx.db, id), reported),
    ...allowing(speaks ? allowedActions<string>(ctx, { set, request, call }) : []),
  };
};
