import type { Place } from '@mooring/contract/geofence/outline';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { latestHellos } from '../../platform/gateway/latest-hellos.ts';
import { type MessageHandler, onUp, type UpMessage } from '../../platform/gateway/message.ts';
import { enqueue } from '../../platform/jobs/enqueue.ts';
import { type Fences, fencesAt, type Held, isFor, keepFences } from './fences.ts';
import { metresOutside, shapeOf } from './shape.ts';
import { next, type Stand, sideOf } from './stand.ts';
import { pairOf, withinGroups } from './within-groups.ts';

export const LOOK = 'geofence:look';
const MINUTE = 60_000;

interface Word extends Place {
  readonly deviceId: number;
  readonly path: string;
  readonly accuracy: number | null;
}
interface Row {
  readonly fence_id: number;
  readonly device_id: number;
  readonly state: string;
  readonly since: Date;
  readonly other: number;
  readonly other_since: Date | null;
}
/** What is to be written of a terminal and a fence; `isNews` where it stands elsewhere than before. */
interface Change {
  readonly fence: Held;
  readonly word: Word;
  readonly state: 'inside' | 'outside' | 'gone';
  readonly since: Date;
  readonly other: number;
  readonly otherSince: Date | null;
  readonly isNews: boolean;
  readonly due: Date | null;
}

/** The newest word of each terminal that says where it is. */
function wordsIn(batch: readonly UpMessage<'beat' | 'hello'>[]): Word[] {
  const words = new Map<number, Word>();
  for (const { deviceId, deptPath, data } of batch)
    if (data.position)
      words.set(deviceId, {
        deviceId,
        path: deptPath,
        lat: data.position.lat,
        lon: data.position.lon,
        accuracy: data.position.accuracy ?? null,
      });
  return [...words.values()].sort((a, b) => a.deviceId - b.deviceId);
}

async function standsOf(db: Db, ids: readonly number[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select fence_id, device_id, state, since, other, other_since from geofence_state where device_id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

/** Where the shops of these terminals stand, or their merchants. */
async function shopsOf(db: Db, ids: readonly number[]): Promise<Map<number, Place>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Place & { id: number }>`
    select d.id, coalesce(s.lat, m.lat) as lat, case when s.lat is null then m.lon else s.lon end as lon
    from device d join merchant_merchant m on m.id = d.merchant_id left join merchant_shop s on s.id = d.shop_id
    where d.id = any(${ids}::bigint[]) and coalesce(s.lat, m.lat) is not null`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

const patienceOf = ({ margin, fixes, settle_minutes }: Held) => ({ margin, fixes, settleMinutes: settle_minutes });
const standOf = ({ state, since, other, other_since }: Row): Stand => ({
  state: state === 'inside' ? 'inside' : 'outside',
  since,
  other,
  otherSince: other_since,
});

/** When an alarm is to be raised or closed, where it stands elsewhere now. Who was never within has left nothing. */
function dueOf(fence: Held, before: Stand | undefined, after: Stand, now: Date): Date | null {
  if (after.state === 'inside') return before ? now : null;
  return fence.alarm_on === 'left' ? now : new Date(after.since.getTime() + fence.out_minutes * MINUTE);
}

const goneOf = (fence: Held, word: Word, row: Row, now: Date): Change => ({
  ...{ fence, word, state: 'gone', since: row.since },
  ...{ other: 0, otherSince: null, isNews: true, due: now },
});

function changeOf(fence: Held, word: Word, row: Row | undefined, shop: Place | undefined, now: Date): Change | undefined {
  const shape = fence.drawn ?? shapeOf(fence, shop);
  // Where the fence is nowhere for it any more, nothing that it says would ever close its alarm.
  if (!shape) return row && goneOf(fence, word, row, now);
  const before = row && standOf(row);
  const side = sideOf(metresOutside(shape, word), word.accuracy, fence.margin);
  const after = next(before, side, now, patienceOf(fence));
  if (!after || after === before) return undefined;
  // Of all those that were never there nothing is kept, unless that alone raises an alarm.
  if (!before && after.state === 'outside' && fence.alarm_on === 'left') return undefined;
  const isNews = before?.state !== after.state;
  return { fence, word, ...after, isNews, due: isNews ? dueOf(fence, before, after, now) : null };
}
/** Without those whose fence is for groups that the terminal isn't in; one that was in them stands to it no more. */
async function ofGroups(db: Db, changes: readonly Change[], known: ReadonlyMap<string, Row>, now: Date): Promise<Change[]> {
  const asked = changes.filter(({ fence }) => fence.audience === 'groups');
  const within = await withinGroups(
    db,
    asked.map(({ fence, word }) => ({ fence_id: fence.id, device_id: word.deviceId, group_ids: fence.group_ids })),
  );
  return changes.flatMap((one) => {
    const key = pairOf(one.word.deviceId, one.fence.id);
    if (one.fence.audience !== 'groups' || within.has(key)) return [one];
    const row = known.get(key);
    return row ? [goneOf(one.fence, one.word, row, now)] : [];
  });
}

/** What changes by these words. */
async function changesBy(db: Db, fences: Fences, words: readonly Word[], now: Date): Promise<Change[]> {
  const rows = await standsOf(
    db,
    words.map((one) => one.deviceId),
  );
  const known = new Map(rows.map((row) => [pairOf(row.device_id, row.fence_id), row]));
  const byDevice = Map.groupBy(rows, (row) => row.device_id);
  const pairs = words.flatMap((word) => {
    const here = (byDevice.get(word.deviceId) ?? []).flatMap((row) => fences.byId.get(row.fence_id) ?? []);
    return [...new Set([...here, ...fencesAt(fences, word.deviceId, word.path, word)])].map((fence) => ({ word, fence }));
  });
  const shops = await shopsOf(db, [...new Set(pairs.filter(({ fence }) => fence.shape === 'shop').map(({ word }) => word.deviceId))]);
  const changes = pairs.flatMap(({ word, fence }) => {
    const row = known.get(pairOf(word.deviceId, fence.id));
    // What is over waits for its alarm to be closed.
    if (row?.state === 'gone') return [];
    if (row && !isFor(fence, word.deviceId, word.path)) return [goneOf(fence, word, row, now)];
    return changeOf(fence, word, row, shops.get(word.deviceId), now) ?? [];
  });
  return ofGroups(db, changes, known, now);
}

/**
 * Fences and terminals that somebody changes just now are left to the next word: what was forgotten with the change would come back here by what stood
 * before, and waiting for it could go in a circle.
 */
async function write(db: Db, changes: readonly Change[], now: Date): Promise<void> {
  const rows = JSON.stringify(
    changes.map(({ fence, word, state, since, other, otherSince, isNews, due }) => ({
      ...{ fence_id: fence.id, revision: fence.revision, device_id: word.deviceId, state, since, other, due },
      ...{ other_since: otherSince, news: isNews },
    })),
  );
  await sql`
    with x as materialized (
      select * from jsonb_to_recordset(${rows}::jsonb) as r(fence_id bigint, revision int, device_id bigint, state text, since timestamptz, other int,
        other_since timestamptz, news boolean, due timestamptz)
    ), fences as materialized (
      select f.id, f.dept_path from geofence f where (f.id, f.revision) in (select fence_id, revision from x) and f.enabled order by f.id for share skip locked
    ), terminals as materialized (
      select d.id, d.dept_path from device d where d.id in (select device_id from x) and d.deleted_at is null order by d.id for share skip locked
    )
    insert into geofence_state as s (fence_id, device_id, state, since, fixed_at, other, other_since, due_at, dept_path)
    select x.fence_id, x.device_id, x.state, x.since, ${now}, x.other, x.other_since, x.due, d.dept_path
    from x join fences f on f.id = x.fence_id join terminals d on d.id = x.device_id and (starts_with(d.dept_path, f.dept_path) or x.state = 'gone')
    order by x.device_id, x.fence_id
    on conflict (device_id, fence_id) do update set state = excluded.state, since = excluded.since, fixed_at = excluded.fixed_at, other = excluded.other,
      other_since = excluded.other_since, due_at = case when excluded.state = s.state then s.due_at else excluded.due_at end, dept_path = excluded.dept_path`.execute(
    db,
  );
}

/** One of many gateways queues the look; the others leave it to that one. */
async function lookSoon(db: Db): Promise<void> {
  const { rows } = await sql<{ is: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${LOOK}, 0)) as is`.execute(db);
  if (rows[0]?.is) await enqueue(db, LOOK, { payload: {} }, { key: LOOK });
}

/** Where terminals say that they are, held against the fences of their organisations and of those above, in the transaction that keeps it. */
export function notePositions(): readonly MessageHandler[] {
  const fencesNow = keepFences();
  const note = async (db: Db, batch: readonly UpMessage<'beat' | 'hello'>[], now: Date) => {
    const words = wordsIn(batch);
    if (words.length === 0) return;
    const fences = await fencesNow(db);
    if (fences.byId.size === 0) return;
    const changes = await changesBy(db, fences, words, now);
    if (changes.length === 0) return;
    await write(db, changes, now);
    if (changes.some(({ due }) => due !== null && due <= now)) await lookSoon(db);
  };
  return [
    onUp('beat', (db, batch, app) => note(db, batch, app.now())),
    onUp('hello', async (db, batch, app) => note(db, await latestHellos(db, batch), app.now())),
  ];
}
