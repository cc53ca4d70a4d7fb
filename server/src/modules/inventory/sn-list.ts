import { SN } from '@mooring/contract/device/limits';
import type { stockRefusals } from '@mooring/contract/inventory/fields';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';

export type Refusal = (typeof stockRefusals)[number];
export interface Known {
  readonly id: number;
  readonly sn: string;
  readonly status: string;
  readonly deptId: number;
  readonly deptName: string;
  /** Number of the sale that is open. */
  readonly sold: string | null;
}
export interface Problem {
  readonly sn: string;
  readonly reason: Refusal;
  readonly document: string;
}
const SHOWN = 200;

/** Terminals in sight of these serial numbers. Whose another one is elsewhere is nobody's to know here. */
const knownOf = async (db: Db, sns: readonly string[]): Promise<Map<string, Known>> => {
  const { rows } = await sql<Known>`
    select d.id, d.sn, d.status, d.dept_id as "deptId", o.name as "deptName", s.number as sold from device d join org_dept o on o.id = d.dept_id
      left join inventory_sale s on s.device_id = d.id and s.state = 'sold'
    where d.sn = any(${sns}::text[]) and d.deleted_at is null`.execute(db);
  return new Map(rows.map((row) => [row.sn, row]));
};

/** Which document has a terminal on its way. Past the policy: it may be the document of an organisation above, which is held from below too. */
export const documentsOf = async (ctx: Ctx, ids: readonly number[]): Promise<Map<number, string>> => {
  if (ids.length === 0) return new Map();
  const { rows } = await ctx.unscoped((db) =>
    sql<{ id: number; number: string }>`
      select t.device_id as id, d.number from inventory_transfer t join inventory_dispatch d on d.id = t.dispatch_id
      where t.device_id = any(${ids}::bigint[]) and t.state = '1'`.execute(db),
  );
  return new Map(rows.map(({ id, number }) => [id, number]));
};

interface Judged {
  readonly good: readonly Known[];
  /** Well written, and of no terminal in sight. */
  readonly unknown: readonly string[];
  readonly problems: readonly Problem[];
  /** Ids of those in sight, by their serial numbers. */
  readonly known: ReadonlyMap<string, number>;
}

/** A list as it was typed, scanned or pasted: what of it may be taken, and what is wrong with the rest. */
export async function judgeSns(
  ctx: Ctx,
  sns: readonly string[],
  refusal: (known: Known, document: string | undefined) => Refusal | undefined,
  takesUnknown = false,
): Promise<Judged> {
  const asked = sns.map((sn) => sn.trim().toUpperCase()).filter((sn) => sn !== '');
  const known = await knownOf(ctx.db, [...new Set(asked)]);
  const documents = await documentsOf(
    ctx,
    [...known.values()].map(({ id }) => id),
  );
  const seen = new Set<string>();
  const [good, unknown, problems]: [Known[], string[], Problem[]] = [[], [], []];
  for (const sn of asked) {
    const found = known.get(sn);
    const document = found && documents.get(found.id);
    const isNew = found === undefined && takesUnknown && SN.test(sn);
    const reason = seen.has(sn) ? 'twice' : !SN.test(sn) ? 'wrong' : found ? refusal(found, document) : isNew ? undefined : 'unknown';
    seen.add(sn);
    if (reason)
      problems.push({ sn, reason, document: reason === 'transfer' ? (document ?? '') : reason === 'sold' ? (found?.sold ?? '') : '' });
    else if (found) good.push(found);
    else unknown.push(sn);
  }
  return { good, unknown, problems, known: new Map([...known].map(([sn, { id }]) => [sn, id])) };
}

/** One that stands there twice keeps nobody from the rest. */
export const isTaken = (anyway: boolean, problems: readonly Problem[]): boolean =>
  anyway || problems.every(({ reason }) => reason === 'twice');

export const answerOf = (done: number, problems: readonly Problem[]) => ({
  done,
  refused: problems.length,
  problems: problems.slice(0, SHOWN),
});
