import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import type { Db } from '../../../platform/context.ts';
import { enabledTo } from '../differences/difference-queries.ts';
import { type PackageRow, uploadedDiffs } from './package-queries.ts';
import type { Signable } from './sign-package.ts';

/** What a terminal may be sent; `framed` where it must know how differences of large images come. */
export type Sent = Signable & { readonly framed: boolean };
const DIFF_FRAMES = 'diffFrames';

export const sentPackage = (row: PackageRow): Sent => ({ ...row, framed: false });

/** Differences to the same version, by the version that each starts from: those of people, and those that the server made and a person enabled. The smallest first. */
export async function diffsTo(
  db: Db,
  kind: TaskKind,
  of: Pick<PackageRow, 'product_id' | 'name' | 'version'>,
): Promise<ReadonlyMap<string, readonly Sent[]>> {
  const uploaded = (await uploadedDiffs(db, kind, of)).map(sentPackage);
  const made = (await enabledTo(db, kind, of)).map(
    (row): Sent => ({ ...row, kind: 'DI', sha256: row.sha256 ?? '', framed: row.frames > 0 }),
  );
  const all = [...uploaded, ...made].sort((a, b) => a.size - b.size);
  return Map.groupBy(all, (row) => row.base ?? '');
}

/** The difference from its version where there is one that it can apply, else the full package (design 2: "a device without the base gets the full package"). */
export const packageFor = (
  full: Sent | undefined,
  diffs: ReadonlyMap<string, readonly Sent[]>,
  { current, unfit, capabilities }: { current: string | null; unfit: boolean; capabilities: readonly string[] | undefined },
): Sent | undefined => {
  const fitting = unfit || current === null ? [] : (diffs.get(current) ?? []);
  return fitting.find((diff) => !diff.framed || (capabilities?.includes(DIFF_FRAMES) ?? true)) ?? full;
};
