import { createHash } from 'node:crypto';
import { LEASE_BEATS } from '@mooring/contract/device/limits';
import { THINGS } from '@mooring/contract/device/thing/thing-calls';
import { sql } from 'kysely';
import { lookSoon } from '../../engines/rollout/drift/look.ts';
import { wakeResults } from '../../engines/rollout/handle-results.ts';
import { firstContact, mayJoin } from '../../engines/rollout/join-tasks.ts';
import type { Db } from '../../platform/context.ts';
import { move } from '../../platform/db/move.ts';
import { latestHellos } from '../../platform/gateway/latest-hellos.ts';
import { onUp, type UpMessage } from '../../platform/gateway/message.ts';
import { wake } from '../../platform/gateway/outbox.ts';
import { sendMessages } from '../../platform/gateway/send-messages.ts';
import { invalidatePaths } from '../../platform/live/invalidate-paths.ts';
import { DEVICES, deviceRows } from './device-rows.ts';
import { keepApps } from './keep-apps.ts';
import { keepPositions } from './position/keep-positions.ts';
import { dropOlder, MOST_REPORTED } from './put-config.ts';
import type { TimerWheel } from './timer-wheel.ts';

type Hello = UpMessage<'hello'>;

function factsOf(hello: Hello) {
  const {
    battery: _battery,
    network: _network,
    storage: _storage,
    position: _position,
    configRevision,
    session: _session,
    order: _order,
    ...facts
  } = hello.data;
  const {
    firmware,
    agent,
    capabilities,
    timeZone,
    model,
    pn,
    imei,
    mac,
    iccid,
    modules,
    patch,
    screen,
    apps,
    appsInAll,
    settings,
    androidParams,
  } = facts;
  return {
    id: hello.deviceId,
    firmware,
    agent,
    capabilities,
    time_zone: timeZone,
    model,
    pn,
    imei,
    mac,
    iccid,
    patch,
    screen,
    modules: modules ?? {},
    apps: apps ?? [],
    apps_in_all: appsInAll ?? null,
    settings: settings ?? {},
    android_params: androidParams ?? {},
    config_reported: configRevision ?? null,
    hello_hash: createHash('sha1')
      .update(JSON.stringify([facts, configRevision]))
      .digest('base64url'),
  };
}

/** Another SIM than before is in it, or another than was expected: an event that no terminal sends by itself. */
const simChanged = (hello: Hello, { before, now }: { before: string; now: string }): UpMessage<'event'> => ({
  ...hello,
  data: { name: 'simChanged', level: 'warning', params: { from: before, to: now } },
});

interface Written {
  /** Of these the words are others than last time. */
  readonly changed: readonly number[];
  /** What is to be told of that. */
  readonly news: UpMessage<'event'>[];
}
/** What it is: written where its words are others than last time. */
async function writeFacts(db: Db, hellos: readonly Hello[], now: Date): Promise<Written> {
  const changed = await sql<{ id: number; before: string | null; now: string | null }>`
    update device d set firmware = x.firmware, agent = x.agent, capabilities = coalesce(x.capabilities, '{}'), time_zone = x.time_zone, model = coalesce(x.model, d.model),
      pn = coalesce(x.pn, d.pn), imei = coalesce(x.imei, d.imei), mac = coalesce(x.mac, d.mac), iccid = coalesce(x.iccid, d.iccid), patch = coalesce(x.patch, d.patch), screen = coalesce(x.screen, d.screen),
      modules = x.modules, apps = x.apps, apps_in_all = x.apps_in_all, settings = x.settings, android_params = x.android_params, config_reported = least(x.config_reported, greatest(d.config_revision, ${MOST_REPORTED}::int)), hello_hash = x.hello_hash
    from jsonb_to_recordset(${JSON.stringify(hellos.map(factsOf))}::jsonb) as x(id bigint, firmware text, agent text, capabilities text[], time_zone text, model text, pn text, imei text,
      mac text, iccid text, patch text, screen jsonb, modules jsonb, apps jsonb, apps_in_all bigint, settings jsonb, android_params jsonb, config_reported int, hello_hash text)
      join device o on o.id = x.id
    where d.id = x.id and d.hello_hash is distinct from x.hello_hash returning d.id, o.iccid as before, d.iccid as now`.execute(db);
  const ids = new Map(changed.rows.map((row) => [row.id, row]));
  await keepApps(
    db,
    hellos.flatMap(({ deviceId, data }) => (ids.has(deviceId) ? [{ deviceId, apps: data.apps ?? [] }] : [])),
  );
  await lookSoon(
    db,
    hellos.map(({ deviceId }) => deviceId),
    (id) => ids.has(id),
    now,
  );
  const news = hellos.flatMap((hello) => {
    const { before, now: iccid } = ids.get(hello.deviceId) ?? {};
    return before && iccid && before !== iccid ? [simChanged(hello, { before, now: iccid })] : [];
  });
  return { changed: [...ids.keys()], news };
}

/** That it is in contact, and until when that holds. */
function holdContact(db: Db, hellos: readonly Hello[], now: Date) {
  const figures = JSON.stringify(
    hellos.map(({ deviceId, receivedAt, data }) => ({
      id: deviceId,
      at: receivedAt.toISOString(),
      session: data.session ?? null,
      hello_order: data.order ?? null,
      battery: data.battery ?? null,
      network: data.network?.kind ?? null,
      signal: data.network?.signal ?? null,
      total: data.storage?.total ?? null,
      free: data.storage?.free ?? null,
      lat: data.position?.lat ?? null,
      lon: data.position?.lon ?? null,
      source: data.position?.source ?? null,
      accuracy: data.position?.accuracy ?? null,
    })),
  );
  return sql<{ id: number; lease_until: Date }>`
    insert into device_presence as p (device_id, online, lease_until, seen_at, connected_at, session, hello_order, battery, network, signal, storage_total, storage_free, lat, lon, position_source, accuracy, positioned_at)
    select x.id, true, ${now}::timestamptz + r.heartbeat_seconds * ${LEASE_BEATS}::float * interval '1 second', ${now}, x.at, x.session, x.hello_order, x.battery, x.network, x.signal, x.total, x.free, x.lat, x.lon, x.source, x.accuracy, case when x.lat is not null then ${now}::timestamptz end
    from jsonb_to_recordset(${figures}::jsonb) as x(id bigint, at timestamptz, session text, hello_order bigint, battery real, network text, signal real, total bigint, free bigint, lat float8, lon float8, source text, accuracy real)
    join device d on d.id = x.id join product_product r on r.id = d.product_id order by x.id
    on conflict (device_id) do update set online = true, lease_until = excluded.lease_until, seen_at = excluded.seen_at, connected_at = excluded.connected_at, session = excluded.session, hello_order = excluded.hello_order,
      battery = coalesce(excluded.battery, p.battery), network = coalesce(excluded.network, p.network), signal = coalesce(excluded.signal, p.signal),
      storage_total = coalesce(excluded.storage_total, p.storage_total), storage_free = coalesce(excluded.storage_free, p.storage_free),
      lat = coalesce(excluded.lat, p.lat), lon = coalesce(excluded.lon, p.lon), position_source = case when excluded.lat is null then p.position_source else excluded.position_source end,
      accuracy = case when excluded.lat is null then p.accuracy else excluded.accuracy end, positioned_at = coalesce(excluded.positioned_at, p.positioned_at)
    returning device_id as id, lease_until`.execute(db);
}

/** Whose desired state is newer than what they reported. One that was here before, and reports a later one, is given ours as the newest. */
const lackingConfig = (db: Db, ids: readonly number[]) =>
  sql<{ id: number; config: Record<string, never>; config_revision: number }>`
    with raised as (
      update device set config_revision = least(config_reported, ${MOST_REPORTED}::int) + 1
      where id = any(${ids}::bigint[]) and config_revision > 0 and least(config_reported, ${MOST_REPORTED}::int) > config_revision returning id, config, config_revision
    )
    select id, config, config_revision from device where id = any(${ids}::bigint[]) and config_revision > coalesce(config_reported, 0)
    union all select id, config, config_revision from raised`.execute(db);

/** A terminal is there: what it is, that it is in contact, and which desired state it lacks. */
export const handleHello = (wheel: TimerWheel) =>
  onUp('hello', async (db, batch, app) => {
    const hellos = await latestHellos(db, batch);
    const ids = hellos.map((one) => one.deviceId);
    const now = app.now();
    // Sent together, in this order: none needs the answer of another. What is put off for an absence that ends here is woken after the
    // moves: it waits for this transaction, or is woken by it.
    const [written, leases, activated, , , , lacking] = await Promise.all([
      writeFacts(db, hellos, now),
      holdContact(db, hellos, now),
      move(db, deviceRows, 'activate', ids, { set: { activated_at: now } }),
      move(db, deviceRows, 'seen', ids),
      wake(db, ids, now),
      wakeResults(db, ids, now),
      lackingConfig(db, ids),
    ]);
    const first = new Set(activated.map((row) => row.id));
    await firstContact(db, app, [...first]);
    await mayJoin(
      db,
      app,
      written.changed.filter((id) => !first.has(id)),
    );
    for (const lease of leases.rows) wheel.set(lease.id, lease.lease_until);
    if (lacking.rows.length > 0)
      await dropOlder(
        db,
        lacking.rows.map((row) => row.id),
      );
    await sendMessages(
      db,
      lacking.rows.map((row) => ({
        deviceId: row.id,
        kind: 'config' as const,
        key: `cfg-${row.id}-${row.config_revision}`,
        data: { revision: row.config_revision, values: row.config },
        expiresAt: new Date(now.getTime() + 30 * 86_400_000),
      })),
    );
    await keepPositions(
      db,
      hellos.filter((one) => one.data.position).map((one) => one.deviceId),
      now,
    );
    const paths = hellos.map((one) => one.deptPath);
    for (const group of [DEVICES, THINGS]) await invalidatePaths(db, app, group, paths);
    return written.news;
  });
