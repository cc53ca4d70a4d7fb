import type { DeviceRelease } from '@mooring/contract/engines/rollout/task-calls';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { openingOf, resultsOf, taskResult } from './result-queries.ts';
import type { RolloutKind } from './task.ts';
import { contentOf } from './task-row.ts';

const SHOWN = 50;

/** Releases of some kinds that are, or were, for a device; newest first. */
export async function releasesOf(ctx: Ctx, kinds: readonly RolloutKind[], deviceId: number): Promise<z.input<typeof DeviceRelease>[]> {
  const rows = await resultsOf(ctx.db, kinds)
    .leftJoin('rollout_package as f', 'f.id', 't.package_id')
    .select(['f.version as task_version', 't.subject as task_subject', 't.content as task_content'])
    .where('r.device_id', '=', deviceId)
    .where(
      'r.kind',
      'in',
      kinds.map(({ of }) => of.kind),
    )
    .orderBy('r.id', 'desc')
    .limit(SHOWN)
    .execute();
  const opening = await openingOf(ctx.db, rows, ctx.now());
  const named = new Map(kinds.map((kind) => [kind.of.kind, kind]));
  return rows.flatMap((row) => {
    const kind = named.get(row.kind);
    if (!kind) return [];
    return {
      ...taskResult(ctx, kind, row, opening(row)),
      kind: row.kind,
      taskName: row.task_name,
      taskVersion: [row.task_subject, row.task_version].filter(Boolean).join(' '),
      content: contentOf(row.task_content),
    };
  });
}
