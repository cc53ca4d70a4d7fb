import { driftGroups } from '@mooring/contract/engines/rollout/task-kind';
import { releaseKinds } from '@mooring/contract/release-kinds';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';

interface Place {
  readonly kind: string;
  readonly dept_path: string;
}
export interface Held extends Place {
  readonly id: number;
  readonly shown: boolean;
}

/** Whether a row `w` is listed, as far as its terminal is there. */
export const isShown = sql<boolean>`(w.since is not null and not w.busy)`;

/**
 * Rows `w` of a condition, held until the transaction ends. Whoever changes any holds them by this first, and results before them: in one order
 * nobody waits in a ring.
 */
export async function holdWanted(db: Db, which: RawBuilder<boolean>): Promise<readonly Held[]> {
  const { rows } = await sql<Held>`
    select w.id, w.kind, w.dept_path, ${isShown} as shown from rollout_wanted w where ${which} order by w.device_id, w.kind, w.part for update`.execute(
    db,
  );
  return rows;
}

const MANY = 50;
/** Open lists of drift hear of what shows otherwise now; for very many owners, everybody at once. */
export async function touchDrift(db: Db, app: Pick<Ctx, 'invalidate'>, places: readonly Place[]): Promise<void> {
  const groups = new Map<string, Set<string>>();
  for (const { kind, dept_path: path } of places) {
    const of = releaseKinds.find((one) => one.kind === kind);
    for (const group of of ? driftGroups(of) : []) groups.set(group, (groups.get(group) ?? new Set<string>()).add(path));
  }
  for (const [group, paths] of groups) for (const path of paths.size > MANY ? ['1.'] : paths) await app.invalidate(db, group, path);
}

/** What these terminals have drifted from is listed no more, or again. */
export async function touchDriftOf(db: Db, app: Pick<Ctx, 'invalidate'>, deviceIds: readonly number[]): Promise<void> {
  const { rows } = await sql<Place>`
    select distinct w.kind, w.dept_path from rollout_wanted w where w.device_id = any(${[...deviceIds]}::bigint[]) and ${isShown}`.execute(
    db,
  );
  await touchDrift(db, app, rows);
}
