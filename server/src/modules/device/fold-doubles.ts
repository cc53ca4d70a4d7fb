import { DoubleKind } from '@mooring/contract/device/attention';
import { sql } from 'kysely';
import { comparedNumbers } from '../../engines/devices/doubles.ts';
import type { Db } from '../../platform/context.ts';

const BATCH = 5000;
/** Whoever writes rows for more than one terminal is alone at it. */
const LOCK = 7672;

const numbers = sql`lateral (values ${sql.join(DoubleKind.options.map((kind) => sql`(${sql.lit(kind)}, ${comparedNumbers[kind]})`))}) n(kind, value)`;
/** Terminals with the number `n`: each half finds its index. */
const holders = sql`(
  select d.id from device d where n.kind = 'imei' and d.imei = n.value and d.deleted_at is null
  union all select d.id from device d where n.kind = 'iccid' and upper(d.iccid) = n.value and d.deleted_at is null)`;

interface Said {
  readonly id: number;
  readonly kind: DoubleKind;
  readonly value: string;
}
interface Shared extends Said {
  /** It has rows already, so everyone else who has it has one, or a turn. */
  readonly known: boolean;
}

/** Numbers of these terminals that another one has too, or had when it was last looked. */
const sharedBy = async (db: Db, ids: readonly number[]): Promise<readonly Shared[]> => {
  const { rows } = await sql<Shared>`
    select * from (
      select d.id, n.kind, n.value, exists (select from device_double x where x.kind = n.kind and x.value = n.value) as known
      from device d cross join ${numbers} where d.id = any(${ids}::bigint[]) and d.deleted_at is null and n.value is not null
    ) n where n.known or (select count(*) from (select from ${holders} h limit 2) two) = 2`.execute(db);
  return rows;
};

/** All others that have a number of which there was no row come to their turn. */
const callOthers = async (db: Db, fresh: readonly Said[], ids: readonly number[]): Promise<number> => {
  const called = await sql`
    insert into device_double_turn select distinct h.id
    from unnest(${fresh.map(({ kind }) => kind)}::text[], ${fresh.map(({ value }) => value)}::text[]) n(kind, value) cross join lateral ${holders} h
    where h.id <> all(${ids}::bigint[])`.execute(db);
  return Number(called.numAffectedRows ?? 0);
};

/**
 * Enters them as they are now. One that is being changed has its turn again later: nobody is waited for here, so nobody waits in a circle; and
 * whoever would change one that is held sees its row.
 */
async function enter(db: Db, shared: readonly Said[]): Promise<readonly string[]> {
  const ids = [...new Set(shared.map(({ id }) => id))];
  const held = await sql<{ id: number; path: string } & Record<DoubleKind, string | null>>`
    select d.id, d.dept_path as path, ${sql.join(DoubleKind.options.map((kind) => sql`${comparedNumbers[kind]} as ${sql.ref(kind)}`))}
    from device d where d.id = any(${ids}::bigint[]) and d.deleted_at is null order by d.id for share skip locked`.execute(db);
  const free = new Map(held.rows.map((row) => [row.id, row]));
  const late = ids.filter((id) => !free.has(id));
  if (late.length > 0)
    await sql`insert into device_double_turn select d.id from device d where d.id = any(${late}::bigint[]) and d.deleted_at is null`.execute(
      db,
    );
  const rows = shared.flatMap(({ id, kind, value }) => {
    const now = free.get(id);
    return now?.[kind] === value ? [{ id, kind, value, path: now.path }] : [];
  });
  const entered = await sql<{ path: string }>`
    insert into device_double as x (device_id, kind, value, dept_path)
    select id, kind, value, path from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(id bigint, kind text, value text, path text)
    on conflict (device_id, kind) do update set value = excluded.value, dept_path = excluded.dept_path
      where (x.value, x.dept_path) <> (excluded.value, excluded.dept_path)
    returning x.dept_path as path`.execute(db);
  return entered.rows.map(({ path }) => path);
}

/**
 * Looks which terminals share a number with another since the last time. Of a number that has rows its terminal gets one too; of one that has none and
 * that others have, those come to their turn. So whoever has a shared number has a row or a turn, however many they are, and a row that stays alone
 * harms nobody. Answers where there are new ones, and whether there may be more.
 */
export async function foldDoubles(db: Db): Promise<{ paths: readonly string[]; more: boolean }> {
  const nothing = { paths: [], more: false };
  const got = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as got`.execute(db);
  if (!got.rows[0]?.got) return nothing;
  const taken = await sql<{ id: number }>`
    delete from device_double_turn where ctid = any(array(select ctid from device_double_turn limit ${BATCH})) returning device_id as id`.execute(
    db,
  );
  const ids = [...new Set(taken.rows.map(({ id }) => id))];
  const shared = ids.length > 0 ? await sharedBy(db, ids) : [];
  const fresh = new Map(shared.filter(({ known }) => !known).map((one) => [`${one.kind} ${one.value}`, one]));
  const called = fresh.size > 0 ? await callOthers(db, [...fresh.values()], ids) : 0;
  const paths = shared.length > 0 ? await enter(db, shared) : [];
  return { paths, more: called > 0 || taken.rows.length === BATCH };
}

/** What the turns left wrong, whatever it was: rows that don't say what their terminal says, or stay alone, go; terminals that lack one have their turn. */
export async function recountDoubles(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(db);
  await sql`
    with wrong as (
      delete from device_double where (device_id, kind) in (
        select x.device_id, x.kind from device_double x join device d on d.id = x.device_id cross join ${numbers}
        where n.kind = x.kind and (d.deleted_at is not null or d.dept_path <> x.dept_path or n.value is distinct from x.value) for update of x skip locked
      ) returning device_id
    )
    insert into device_double_turn select distinct device_id from wrong`.execute(db);
  await sql`
    delete from device_double where (device_id, kind) in (
      select x.device_id, x.kind from device_double x
      where (x.kind, x.value) in (select kind, value from device_double group by 1, 2 having count(*) = 1) for update of x skip locked
    )`.execute(db);
  for (const kind of DoubleKind.options)
    await sql`
      insert into device_double_turn
      select d.id from device d join (
        select ${comparedNumbers[kind]} as value from device d
        where d.deleted_at is null and ${comparedNumbers[kind]} is not null group by 1 having count(*) > 1
      ) many on many.value = ${comparedNumbers[kind]}
      where d.deleted_at is null and not exists (select from device_double x where x.device_id = d.id and x.kind = ${sql.lit(kind)})`.execute(
      db,
    );
}
