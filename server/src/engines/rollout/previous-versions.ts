import type { NoWayBack, Previous } from '@mooring/contract/engines/rollout/schemas';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { all, exact } from '../../platform/db/criteria.ts';
import { type RolloutKind, readTask, type Task } from './task.ts';
import { ownTask } from './task-row.ts';

const SHOWN = 50;

/** Where terminals go back to: a package, or content as a release takes it; or why there is no way. */
export type WayBack = { readonly packageId: number } | { readonly content: object } | { readonly cant: NoWayBack };
/** What a kind knows of what its terminals had before. */
export interface BackOf {
  /** What a terminal had before its result `r`, as far as a release can bring it back; otherwise the version that it ran. */
  readonly was?: RawBuilder<string | null>;
  /** By what they had; nothing (null) too. */
  to(ctx: Ctx, task: Task, had: readonly (string | null)[]): Promise<ReadonlyMap<string | null, WayBack>>;
}

interface Of {
  readonly id: number;
  readonly ring?: number | undefined;
  readonly deviceId?: number | undefined;
}
/** What the updated terminals of a release ran before it, and what it takes to have that again; of all, of a ring, or of one. */
export async function previousVersions(ctx: Ctx, kind: RolloutKind, { id, ring, deviceId }: Of): Promise<z.input<typeof Previous>> {
  const task = readTask(await ownTask(ctx, kind.of, id));
  const which = all(sql<boolean>`r.task_id = ${id}`, exact('r.ring', ring), exact('r.device_id', deviceId));
  const { rows } = await sql<{ version: string | null; count: number; all: number }>`
    select ${kind.back.was ?? sql`r.from_version`} as version, count(*)::int as count, sum(count(*)) over ()::int as all from rollout_result r
    where ${which} and r.state in ('3', '6') group by 1 order by 2 desc, 1 limit ${SHOWN}`.execute(ctx.db);
  const to = await kind.back.to(
    ctx,
    task,
    rows.map((row) => row.version),
  );
  const shown = rows.map(
    ({ version, count }) => ({ version, count, ...nowhere, ...(to.get(version) ?? { cant: 'noRecord' as const }) }) as Row,
  );
  const rest = (rows[0]?.all ?? 0) - rows.reduce((sum, row) => sum + row.count, 0);
  return rest > 0 ? [...shown, { version: null, count: rest, ...nowhere, cant: 'many' as const }] : shown;
}

type Row = z.input<typeof Previous>[number];
const nowhere = { packageId: null, content: null, cant: null } as const;
