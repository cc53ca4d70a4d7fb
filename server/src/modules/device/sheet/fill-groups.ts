import type { Ctx } from '../../../platform/context.ts';
import { addTo } from '../groups/group-acts.ts';

interface Joining {
  readonly id: number | undefined;
  readonly groups: readonly number[];
}

/** Terminals into the groups that they are to be in; answers which came into one of them not: it is full, has moved or is gone. */
export async function fillGroups(ctx: Ctx, rows: readonly Joining[]): Promise<ReadonlySet<number>> {
  const members = new Map<number, number[]>();
  for (const { id, groups } of rows)
    for (const group of id === undefined ? [] : groups) {
      const of = members.get(group) ?? [];
      of.push(id ?? 0);
      members.set(group, of);
    }
  const outside = new Set<number>();
  for (const [group, of] of [...members].sort(([a], [b]) => a - b)) {
    const came = new Set(await addTo(ctx, ctx.db, { id: group }, of));
    for (const id of of) if (!came.has(id)) outside.add(id);
  }
  return outside;
}
