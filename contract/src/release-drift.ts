import { type DriftCalls, driftCallsOf } from './engines/rollout/drift-calls.ts';
import type { TaskKind } from './engines/rollout/task-kind.ts';
import { releaseKinds } from './release-kinds.ts';

const byKind: ReadonlyMap<string, DriftCalls> = new Map(releaseKinds.map((kind) => [kind.kind, driftCallsOf(kind)]));

/** What differs on terminals from what releases of a kind left there. */
export function driftCallsFor({ kind }: Pick<TaskKind, 'kind'>): DriftCalls {
  const found = byKind.get(kind);
  if (!found) throw new Error(`${kind} is no kind of release`);
  return found;
}

/** The groups of all kinds, by their names. */
export const driftCallGroups: Readonly<Record<string, DriftCalls>> = Object.fromEntries(
  [...byKind].map(([kind, group]) => [`${kind}DriftCalls`, group]),
);
