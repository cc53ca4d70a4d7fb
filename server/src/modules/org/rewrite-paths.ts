import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { followUnit } from '../stats/api.ts';

/**
 * Tables whose rows keep the path of their time, each with its reason. Every other table with a `dept_path` follows its unit;
 * they are read from the catalogue, so that a new one can't be forgotten.
 */
export const keepsItsPath: Readonly<Record<string, string>> = {
  state_change: 'history: what happened stays with who saw it happen',
  audit_entry: 'history, and its hashes are chained over the path',
  audit_visit: 'history',
  device_event: 'history of a terminal',
  device_health: 'history of a terminal, of two weeks or so',
  device_contact: 'history of a terminal, of the last hour',
  device_track: 'history of a terminal, likewise',
  device_log_line: 'history of a terminal, of a month or so',
  device_map_change: 'differences of the trigger of `device_place`, which tell what moved',
  device_map_cell: 'the sums of those differences',
  device_failure: 'history of a terminal, of a month',
  device_failure_change: 'differences of its trigger',
  device_failure_sum: 'the sums of those differences',
  rollout_attempt: 'history of a result',
  rollout_minute: 'the curve of a time that is over',
  mail_message: 'what went out',
  message_message: 'what was said; its deliveries belong to their readers',
  alert_mail_hour: 'how many mails an hour had; the next one begins anew',
  device_tally: 'kept by the trigger of `device`',
  // Its trigger runs for each terminal anyway. Without it all of the table would be read first, or an index on the path be kept for moves alone.
  device_app: 'goes with its terminal by the trigger of `device`',
  rollout_wanted: 'goes with its terminal at its next look, which the trigger of `device` asks for',
  rollout_tally: 'kept by the trigger of `rollout_result`',
  stats_change: 'differences of the triggers of `device` and `rollout_result`, which tell what moved',
  stats_now: 'the sums of those differences',
  stats_hour: 'history of a scope: `followUnit` takes along what is the own of a unit',
  stats_day: 'history of a scope, likewise',
};
/** Of these only the rows that still do something follow. */
const statefulTable: Readonly<Record<string, RawBuilder<unknown>>> = {
  gateway_outbox: sql`state in ('waiting', 'sent')`,
};

/** Further columns that say where somebody belongs, and by which a row is seen: they follow too. */
const furtherPaths: readonly (readonly [table: string, column: string])[] = [['approval_record', 'actor_path']];

interface Owned {
  readonly name: string;
  readonly byId: boolean;
}
/** The tables with a path of an owner, and whether they name the owner too. Terminals last: a heartbeat waits for their rows. */
export async function ownedTables(db: Db): Promise<Owned[]> {
  const found = await sql<Owned>`
    select c.relname as name, exists (select from pg_attribute i where i.attrelid = c.oid and i.attname = 'dept_id' and not i.attisdropped) as "byId"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attname = 'dept_path' and not a.attisdropped
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by c.relname = 'device', c.relname`.execute(db);
  return found.rows.filter((one) => !Object.hasOwn(keepsItsPath, one.name));
}

export interface Rewrite {
  readonly from: string;
  readonly to: string;
  readonly now: Date;
  /** A merge: rows that name the source name the target. The source itself stays where it is. */
  readonly dept?: { readonly from: number; readonly to: number };
}

/** Rows at and below `from` come to stand at and below `to`. Running twice finds nothing left. Answers how many. */
export async function rewritePaths(
  db: Db,
  { from, to, now, dept }: Rewrite,
  onTable: (rows: number) => Promise<void> = async () => {},
): Promise<number> {
  const within = sql`dept_path >= ${from} and dept_path < ${`${from}~`}`;
  // In the order of ids, as the writers of presence take them, or the two would wait for each other.
  await sql`select id from device where ${within} order by id for update`.execute(db);
  let all = 0;
  for (const { name, byId } of await ownedTables(db)) {
    const also = statefulTable[name] ? sql` and ${statefulTable[name]}` : sql``;
    const stays = name === 'org_dept' && dept ? sql` and id <> ${dept.from}` : sql``;
    const owner = dept && byId ? sql`, dept_id = case when dept_id = ${dept.from} then ${dept.to} else dept_id end` : sql``;
    const moved = await sql`
      update ${sql.table(name)} set dept_path = ${to}::text || substr(dept_path, ${from.length + 1}::int)${owner} where ${within}${also}${stays}`.execute(
      db,
    );
    const rows = Number(moved.numAffectedRows ?? 0);
    all += rows;
    if (rows > 0) await onTable(all);
  }
  for (const [table, column] of furtherPaths) {
    const path = sql.ref(column);
    // What a merged organisation said it said for itself, not for the one that stays and all below that.
    const stays = dept ? sql` and ${path} <> ${from}` : sql``;
    await sql`update ${sql.table(table)} set ${path} = ${to}::text || substr(${path}, ${from.length + 1}::int)
      where ${path} >= ${from} and ${path} < ${`${from}~`}${stays}`.execute(db);
  }
  await followUnit(db, { from, to, now });
  return all;
}
