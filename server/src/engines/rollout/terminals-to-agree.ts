import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { inReach, lookingAgain, matching, statesOf } from './match.ts';
import { aimOf, drawRings, leaving, notIn } from './select-targets.ts';
import type { RolloutKind, Task } from './task.ts';

const SHOWN = 200;

export interface TerminalToAgree {
  readonly id: number;
  readonly sn: string;
  readonly dept_name: string;
  readonly version: string | null;
  readonly ring: number;
  readonly state: string | null;
}
export interface TerminalsToAgree {
  readonly terminals: readonly TerminalToAgree[];
  readonly products: readonly { readonly name: string; readonly count: number }[];
  readonly invalid: readonly { readonly sn: string; readonly reason: string }[];
  readonly total: number;
  /** Of `invalid`, which names the first ones. */
  readonly invalidTotal: number;
}

/** What is still to be agreed to, or to be gathered: its terminals are those that it will find. */
const open: readonly string[] = ['draft', 'returned', 'ready', 'auditing'];

/** Terminals of a release at and below a path: those that it took in, and would take in as it is written. */
export async function terminalsToAgree(db: Db, kind: RolloutKind, task: Task, path: string): Promise<TerminalsToAgree> {
  const isOpen = open.includes(task.state);
  if (!isOpen && task.gathered_at !== null) return terminalsTaken(db, task, path);
  const leave = isOpen ? leaving(task) : sql<boolean>`false`;
  const [taken, matched] = [await terminalsTaken(db, task, path, leave), await terminalsMatched(db, kind, task, path, leave)];
  const counts = new Map<string, number>();
  for (const { name, count } of [...taken.products, ...matched.products]) counts.set(name, (counts.get(name) ?? 0) + count);
  return {
    terminals: [...taken.terminals, ...matched.terminals].slice(0, SHOWN),
    products: [...counts].map(([name, count]) => ({ name, count })),
    invalid: [...taken.invalid, ...matched.invalid].slice(0, SHOWN),
    total: taken.total + matched.total,
    invalidTotal: taken.invalidTotal + matched.invalidTotal,
  };
}

async function terminalsMatched(
  db: Db,
  kind: RolloutKind,
  task: Task,
  path: string,
  leave: RawBuilder<boolean>,
): Promise<TerminalsToAgree> {
  const aim = lookingAgain(await aimOf(db, kind, task, statesOf(task.task_class)), task);
  const among = notIn(task, leave);
  const { ring } = await drawRings(db, task, aim, among);
  const condition = sql<boolean>`${await matching(db, aim, among)} and d.dept_path >= ${path} and d.dept_path < ${`${path}~`}`;
  const terminals = await sql<TerminalToAgree>`
    select d.id, d.sn, o.name as dept_name, ${aim.runs} as version, ${ring} as ring, null::text as state
    from device d join org_dept o on o.id = d.dept_id where ${condition} order by d.id limit ${SHOWN}`.execute(db);
  const products = await sql<{ name: string; count: number; total: number }>`
    select coalesce(p.name, '–') as name, n.count, (sum(n.count) over ())::int as total from (select d.product_id, count(*)::int as count from device d where ${condition} group by 1) n
    left join product_product p on p.id = n.product_id order by n.count desc limit 20`.execute(db);
  const { scope } = task;
  // Of given SNs alone it is known that one isn't there; whose it is elsewhere is nobody's to see here.
  const unknown =
    scope.releaseScope === '2'
      ? await sql<{ sn: string; count: number }>`
          select s.sn, (count(*) over ())::int as count from unnest(${scope.sns}::text[]) as s(sn)
          where not exists (select from device d where d.sn = s.sn and ${inReach(aim)}) limit ${SHOWN}`.execute(db)
      : { rows: [] };
  const isOwn = task.dept_path.startsWith(path);
  return {
    terminals: terminals.rows,
    products: products.rows,
    invalid: isOwn ? unknown.rows.map(({ sn }) => ({ sn, reason: 'unknown' })) : [],
    total: products.rows[0]?.total ?? 0,
    invalidTotal: isOwn ? (unknown.rows[0]?.count ?? 0) : 0,
  };
}

async function terminalsTaken(db: Db, task: Task, path: string, leave?: RawBuilder<boolean>): Promise<TerminalsToAgree> {
  const mine = sql<boolean>`r.task_id = ${task.id} and r.dept_path >= ${path} and r.dept_path < ${`${path}~`} and not ${leave ?? sql`false`}`;
  const terminals = await sql<TerminalToAgree>`
    select r.device_id as id, r.sn, o.name as dept_name, r.from_version as version, r.ring, r.state
    from rollout_result r join org_dept o on o.dept_path = r.dept_path where ${mine} and r.state not in ('9', '10') order by r.sn, r.id limit ${SHOWN}`.execute(
    db,
  );
  // The counters don't know which of them leave.
  const sums = leave
    ? sql`select r.state in ('9', '10') as out, count(*)::int as n from rollout_result r where ${mine} group by 1`
    : sql`select y.state in ('9', '10') as out, sum(y.n)::int as n from rollout_tally y
        where y.task_id = ${task.id} and y.dept_path >= ${path} and y.dept_path < ${`${path}~`} group by 1`;
  const { rows } = (await sums.execute(db)) as { rows: { out: boolean; n: number }[] };
  const total = rows.find((row) => !row.out)?.n ?? 0;
  const out = await sql<{
    sn: string;
  }>`select r.sn from rollout_result r where ${mine} and r.state in ('9', '10') order by r.sn, r.id limit ${SHOWN}`.execute(db);
  const product = await db
    .selectFrom('product_product')
    .select('name')
    .where('id', '=', task.product_id ?? 0)
    .executeTakeFirst();
  return {
    terminals: terminals.rows,
    products: total > 0 ? [{ name: product?.name ?? '–', count: total }] : [],
    invalid: out.rows.map(({ sn }) => ({ sn, reason: 'out' })),
    total,
    invalidTotal: rows.find((row) => row.out)?.n ?? 0,
  };
}
