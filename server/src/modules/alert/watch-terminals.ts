import { kindsOf } from '@mooring/contract/alert/conditions';
import { sql } from 'kysely';
import { isFresh, isInUse } from '../../engines/devices/attention.ts';
import type { Db } from '../../platform/context.ts';
import { isOfRule, ofGroups, rulesAbove } from './in-scope.ts';
import { type Found, subjectOf } from './open-alarms.ts';
import { decide, type Open, settle } from './settle.ts';
import { byKind, type TerminalKind, terminalConditions } from './terminal-conditions.ts';

const BATCH = 5000;
/** So many batches a minute: a million terminals are looked at every twenty minutes, fewer than fifty thousand each minute. */
export const BATCHES = 10;
const kinds = kindsOf('terminal');
const MINUTE = 60_000;

interface Met {
  readonly rule_id: number;
  readonly device_id: number;
  readonly dept_path: string;
  readonly kind: TerminalKind;
  readonly scope: string;
  readonly group_ids: readonly (number | string)[];
  readonly for_minutes: number;
  readonly figure: number | null;
  /** As old as its figure is, it opens nothing; nor is what is open over for that. */
  readonly is_stale: boolean;
  readonly threshold: number | null;
}
interface Range {
  readonly after: number;
  readonly last: number;
}
const LAST = Number.MAX_SAFE_INTEGER;

interface Seen {
  readonly device_id: number;
  readonly dept_path: string;
  readonly used: boolean;
}

/** Which of the rules of the organisations above each terminal hold for it now. They are paired by their keys: no plan meets every rule with every terminal. */
async function metIn(db: Db, now: Date, seen: readonly Seen[]): Promise<Met[]> {
  const used = seen.filter((one) => one.used);
  const found: Met[] = [];
  for await (const some of rulesAbove(db, kinds, used)) {
    const { rows } = await sql<Met>`
      select a.id as rule_id, d.id as device_id, d.dept_path, a.kind, a.scope, a.group_ids, a.for_minutes, f.figure::float8 as figure, l.value::float8 as threshold,
        ${byKind(({ isTold }) => (isTold ? sql`${isFresh(now)} is not true` : sql`false`))} as is_stale
      from unnest(${some.map((one) => one.device_id)}::bigint[], ${some.map((one) => one.rule_id)}::bigint[]) as x(device_id, rule_id)
        join device_presence p on p.device_id = x.device_id join device d on d.id = x.device_id join product_product r on r.id = d.product_id
        join alert_rule a on a.id = x.rule_id
        cross join lateral (select ${byKind(({ limit }) => limit)} as value) l
        cross join lateral (select ${byKind(({ figure }) => figure(now))} as figure) f
      where ${isOfRule} and ${byKind(({ met }) => met(sql`l.value`, now))}`.execute(db);
    found.push(...rows);
  }
  return ofGroups(db, found);
}

const foundOf = ({ rule_id, device_id, kind, figure, threshold }: Met): Found => ({
  ruleId: rule_id,
  subject: subjectOf(device_id),
  deviceId: device_id,
  label: '',
  path: null,
  about: terminalConditions[kind].about(figure ?? 0, threshold ?? 0),
  figure,
  threshold,
  n: 1,
});

/** Those that have held for as long as their rule says; of the others it is noted since when they hold. */
async function longEnough(db: Db, now: Date, met: readonly Met[], open: readonly Open[], { after, last }: Range): Promise<Met[]> {
  const { rows: pending } = await sql<{ rule_id: number; device_id: number; since: Date }>`
    select rule_id, device_id, since from alert_pending where device_id > ${after} and device_id <= ${last}`.execute(db);
  const keyOf = (one: { rule_id: number | null }, subject: string) => `${one.rule_id} ${subject}`;
  const since = new Map(pending.map((one) => [keyOf(one, subjectOf(one.device_id)), one.since]));
  const isOpen = new Set(open.map((one) => keyOf(one, one.subject)));
  const taken: Met[] = [];
  const waiting: Met[] = [];
  for (const one of met) {
    const key = keyOf(one, subjectOf(one.device_id));
    const holds = now.getTime() - (since.get(key) ?? now).getTime();
    if (one.is_stale && !isOpen.has(key)) continue;
    if (isOpen.has(key) || holds >= one.for_minutes * MINUTE) taken.push(one);
    else waiting.push(one);
  }
  const waits = new Set(waiting.map((one) => keyOf(one, subjectOf(one.device_id))));
  const over = pending.filter((one) => !waits.has(keyOf(one, subjectOf(one.device_id))));
  if (over.length > 0)
    await sql`delete from alert_pending p using unnest(${over.map((one) => one.rule_id)}::bigint[], ${over.map((one) => one.device_id)}::bigint[]) as x(rule_id, device_id)
      where p.rule_id = x.rule_id and p.device_id = x.device_id`.execute(db);
  if (waiting.length > 0)
    await sql`insert into alert_pending (rule_id, device_id, since, dept_path)
      select x.rule_id, x.device_id, ${now}, x.path
      from unnest(${waiting.map((one) => one.rule_id)}::bigint[], ${waiting.map((one) => one.device_id)}::bigint[], ${waiting.map((one) => one.dept_path)}::text[]) as x(rule_id, device_id, path)
      join alert_rule a on a.id = x.rule_id join device d on d.id = x.device_id for key share of a, d
      on conflict do nothing`.execute(db);
  return taken;
}

/**
 * Looks at the next terminals in the order of their ids. Who finds another process at it leaves it to that one; twice is harmless, since what is
 * so already changes nothing. Answers whether it came to the end, and whose alarms changed.
 */
export async function lookAtTerminals(db: Db, now: Date): Promise<{ isEnd: boolean; changed: string[] }> {
  const held = await sql<{ after_id: number }>`select after_id from alert_walk for update skip locked`.execute(db);
  const after = held.rows[0]?.after_id;
  if (after === undefined) return { isEnd: true, changed: [] };
  const { rows: seen } = await sql<Seen>`
    select p.device_id, d.dept_path, ${isInUse} as used from device_presence p join device d on d.id = p.device_id
    where p.device_id > ${after} order by p.device_id limit ${BATCH}`.execute(db);
  const isEnd = seen.length < BATCH;
  const range = { after, last: isEnd ? LAST : (seen.at(-1)?.device_id ?? LAST) };
  const open = await sql<Open>`
    select id, rule_id, subject, ended_since, clear_minutes from alert_alarm
    where device_id > ${after} and device_id <= ${range.last} and (state <> 'closed' or quiet) and kind = any(${kinds}::text[])`.execute(
    db,
  );
  const met = await longEnough(db, now, await metIn(db, now, seen), open.rows, range);
  const changed = await settle(db, now, decide(met.map(foundOf), open.rows, now));
  const next = isEnd ? 0 : range.last;
  if (next !== after) await sql`update alert_walk set after_id = ${next}`.execute(db);
  return { isEnd, changed };
}

/** Without a rule, and with nothing open of an earlier one, nobody looks at any terminal. */
export async function hasWork(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from alert_rule where enabled and kind = any(${kinds}::text[])) or exists (select from alert_pending)
      or exists (select from alert_alarm where (state <> 'closed' or quiet) and device_id is not null and kind = any(${kinds}::text[])) as is`.execute(
    db,
  );
  return rows[0]?.is ?? false;
}
