import type { Delivery, Refusal, TaskPreview } from '@mooring/contract/engines/rollout/schemas';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Db } from '../../platform/context.ts';
import { type Aim, askedFor, inReach, refusalOf } from './match.ts';
import { openingsOf } from './next-window.ts';
import { namingRing, ringCounts } from './ring-of.ts';
import type { Weight } from './task.ts';

type Preview = Omit<z.input<typeof TaskPreview>, 'approval'>;
type Refused = Preview['refused'][number];
type Lacks = (deviceIds: readonly number[]) => Promise<ReadonlyMap<number, string>>;
interface Rules {
  /** The kind's rule for one version. */
  readonly weigh: (version: string | null) => Weight | undefined;
  readonly lacks: Lacks | undefined;
  /** From when to when it may go out; nothing where nobody knows the clocks of its terminals. */
  readonly life: { readonly from: Date; readonly to: Date } | undefined;
}
const NAMED = 5;
/** So many are looked at one by one, however many a release reaches. */
const LOOKED = 5000;

/** What a release would do, before it does it (design 2, "Before release"). */
export async function previewOf(db: Db, kind: string, aim: Aim, delivery: Delivery, { weigh, lacks, life }: Rules): Promise<Preview> {
  const asked = await askedFor(db, aim);
  const certain = await refusalOf(db, aim);
  const found = await takenOf(db, sql`device d where ${asked} and ${certain} is null`, aim, await namingRing(db, delivery.rings));
  const weighed = found.versions.map((row) => ({ ...row, weight: weigh(row.version) }));
  const sent = weighed.flatMap(({ weight, ...row }) => (weight ? [{ ...row, ...weight }] : []));
  const without = weighed.filter(({ weight }) => !weight);
  const less = (of: 'n' | 'online') => without.reduce((sum, row) => sum + row[of], 0);
  const matched = found.n - less('n');
  const online = found.online - less('online');
  const why =
    without.length === 0
      ? certain
      : sql<Refusal | null>`coalesce(${certain}, case when coalesce(${aim.current}, '') = any(${without.map((row) => row.version ?? '')}::text[]) then 'noPackage' end)`;
  // From the few that are busy, not from each of the many devices.
  const busy = await sql<{ n: number }>`
    select count(*)::int as n from device d where ${asked} and ${why} is null
      and d.id in (select r.device_id from rollout_result r where r.kind = ${kind} and r.part = ${aim.part} and r.state in ('1', '2', '8'))`.execute(
    db,
  );
  return {
    matched,
    refused: [...(await refusedOf(db, sql`device d where ${asked}`, why)), ...(await ofOthers(db, aim))],
    lacking: await lackingOf(db, sql`device d where ${asked} and ${why} is null`, lacks),
    openings: life
      ? await openingsOf(db, sql`device d where ${asked} and ${why} is null`, matched, { window: delivery.window, life })
      : null,
    unknownSns: await unknownOf(db, aim),
    strayRingSns: await strayOf(db, asked, delivery.rings),
    byVersion: sent.map(({ version, n, gets, bytes, idle = false }) => ({ version, count: n, gets, bytes, idle })),
    busy: busy.rows[0]?.n ?? 0,
    online,
    bytes: sent.reduce((sum, row) => sum + row.bytes * row.n, 0),
    rings: delivery.rings.length === 1 ? [matched] : ringCounts(delivery.rings, found.rings),
    // Who is offline follows when it connects, whatever the pace.
    minutes: delivery.pacePerMinute === null ? null : Math.ceil(online / delivery.pacePerMinute),
  };
}

interface Taken {
  readonly n: number;
  readonly online: number;
  readonly versions: readonly { readonly version: string | null; readonly n: number; readonly online: number }[];
  readonly rings: readonly { readonly ring: number | null; readonly n: number }[];
}

/** Everything that is counted of devices that are taken in, in one pass over them. */
async function takenOf(db: Db, devices: RawBuilder<unknown>, aim: Aim, ring: RawBuilder<number | null>): Promise<Taken> {
  const sums = sql`coalesce(sum(n), 0)::int as n, coalesce(sum(n) filter (where online), 0)::int as online`;
  // Of digests there may be as many as terminals: the most frequent are listed, all are counted.
  const found = await sql<Taken>`
    with seen as materialized (
      select ${aim.current} as version, ${ring} as ring, d.status = '3' as online, count(*) as n from ${devices} group by 1, 2, 3
    )
    select ${sums},
      (select coalesce(json_agg(v order by v.n desc), '[]') from (select version, ${sums} from seen group by version order by 2 desc limit 200) v) as versions,
      (select coalesce(json_agg(r), '[]') from (select ring, sum(n)::int as n from seen group by ring) r) as rings
    from seen`.execute(db);
  return found.rows[0] ?? { n: 0, online: 0, versions: [], rings: [] };
}

/** By reason, the most frequent first, with the first few of each; in one pass too, however rare a reason is. */
async function refusedOf(db: Db, devices: RawBuilder<unknown>, why: RawBuilder<Refusal | null>): Promise<Refused[]> {
  const found = await sql<{ reason: Refusal; count: number; sns: string[] }>`
    select reason, max(no)::int as count, array_agg(sn) filter (where no <= ${sql.lit(NAMED)}) as sns
    from (select reason, sn, row_number() over (partition by reason order by id) as no from (select ${why} as reason, d.sn, d.id from ${devices}) d where reason is not null) w
    group by reason order by count desc, reason`.execute(db);
  return found.rows.map(({ reason, count, sns }) => ({ reason, count, sns: sns.toSorted() }));
}

/** The first that are found, in no order: sorting would read them all. */
async function lackingOf(db: Db, devices: RawBuilder<unknown>, lacks: Lacks | undefined): Promise<Preview['lacking']> {
  if (!lacks) return { count: 0, looked: 0, terminals: [] };
  const { rows } = await sql<{ id: number; sn: string }>`select d.id, d.sn from ${devices} limit ${LOOKED}`.execute(db);
  const found = rows.length === 0 ? new Map<number, string>() : await lacks(rows.map(({ id }) => id));
  const lacking = rows.flatMap(({ id, sn }) => (found.has(id) ? [{ sn, fields: found.get(id) ?? '' }] : []));
  const first = lacking.toSorted((a, b) => a.sn.localeCompare(b.sn)).slice(0, NAMED);
  return { count: lacking.length, looked: rows.length, terminals: first };
}

/** Given SNs that are terminals in reach, of another product. */
async function ofOthers(db: Db, aim: Aim): Promise<Refused[]> {
  if (aim.scope.releaseScope !== '2' || aim.subject.productId === null) return [];
  const anyProduct = { ...aim, subject: { ...aim.subject, productId: null } };
  const devices = sql`device d where ${await askedFor(db, anyProduct)}`;
  return refusedOf(db, devices, sql`case when d.product_id is distinct from ${aim.subject.productId} then 'otherProduct' end`);
}

/** SNs that a ring names and the release doesn't reach at all: mistyped, elsewhere, or not chosen; at most 200 are named. */
async function strayOf(db: Db, asked: RawBuilder<boolean>, rings: Delivery['rings']): Promise<string[]> {
  const named = rings.flatMap(({ sns }) => sns ?? []);
  if (named.length === 0) return [];
  const rows = await sql<{ sn: string }>`
    select s.sn from unnest(${named}::text[]) as s(sn) where not exists (select from device d where d.sn = s.sn and ${asked}) limit 200`.execute(
    db,
  );
  return rows.rows.map((row) => row.sn);
}

/** Given SNs that are no terminal in reach; at most 200 are named. */
async function unknownOf(db: Db, { scope, subject, deptPath }: Aim): Promise<string[]> {
  if (scope.releaseScope !== '2') return [];
  const rows = await sql<{ sn: string }>`
    select s.sn from unnest(${scope.sns}::text[]) as s(sn)
    where not exists (select from device d where d.sn = s.sn and ${inReach({ subject: { ...subject, productId: null }, deptPath })}) limit 200`.execute(
    db,
  );
  return rows.rows.map((row) => row.sn);
}
