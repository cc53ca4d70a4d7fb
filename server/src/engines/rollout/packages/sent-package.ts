import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import type { Db } from '../../../platform/context.ts';
import { enabledTo, formOf } from '../differences/difference-queries.ts';
import type { DifferenceSource } from '../differences/source.ts';
import { type PackageRow, uploadedDiffs } from './package-queries.ts';
import type { Signable } from './sign-package.ts';

/** What a terminal may be sent; `needs` says what it must be able to do. */
interface Needing {
  readonly needs: string | undefined;
}
export type Sent = Signable & Needing;

export const sentPackage = (row: PackageRow): Sent => ({ ...row, needs: undefined });

/** Differences to the same image, by the version that each starts from: those of people, and those that the server made and a person enabled. The smallest first. */
export async function diffsTo(
  db: Db,
  kind: TaskKind,
  source: DifferenceSource,
  chosen: PackageRow,
  whole: PackageRow | undefined,
): Promise<ReadonlyMap<string, readonly Sent[]>> {
  const uploaded = (await uploadedDiffs(db, kind, chosen, whole)).map(sentPackage);
  const enabled = whole === undefined ? [] : await enabledTo(db, source, whole.id);
  const made = enabled.map(
    (row): Sent => ({ ...row, kind: 'DI', sha256: row.sha256 ?? '', needs: source.needs({ form: formOf(row), frames: row.frames }) }),
  );
  const all = [...uploaded, ...made].sort((a, b) => a.size - b.size);
  return Map.groupBy(all, (row) => row.base ?? '');
}

/** The difference from its version where there is one that it can apply, else the full package (design 2: "a device without the base gets the full package"). */
export const packageFor = <S extends Needing>(
  full: S | undefined,
  diffs: ReadonlyMap<string, readonly S[]>,
  { current, unfit, capabilities }: { current: string | null; unfit: boolean; capabilities: readonly string[] | undefined },
): S | undefined => {
  const fitting = unfit || current === null ? [] : (diffs.get(current) ?? []);
  return fitting.find(({ needs }) => needs === undefined || (capabilities?.includes(needs) ?? true)) ?? full;
};
