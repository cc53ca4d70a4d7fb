import { MOST_IMAGE_BYTES } from '@mooring/contract/engines/rollout/difference-calls';
import type { TaskKind } from '@mooring/contract/engines/rollout/task-kind';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { compareVersions } from '@mooring/contract/shared/compare-versions';
import { sql } from 'kysely';
import type { Ctx } from '../../../platform/context.ts';
import { inReach } from '../match.ts';
import { isPublished, type PackageRow, packageById, packagesOf, publishedStates } from '../packages/package-queries.ts';
import type { RolloutKind } from '../task.ts';
import { canMake } from './make-difference.ts';

/** As many older versions as anybody updates from. */
const MOST = 500;

/** The package that differences lead to, of one's own. */
export async function targetOf(ctx: Ctx, kind: TaskKind, id: number): Promise<PackageRow> {
  const row = await packageById(ctx.db, kind, id);
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}

/** Refuses what no difference can be made to now. */
export function refuseTarget(row: PackageRow): void {
  if (!canMake()) throw new Fault('DIFFERENCES_UNAVAILABLE');
  if (row.kind !== 'TA' || !isPublished(row)) throw new Fault('PACKAGE_NOT_PUBLISHED');
  if (row.size > MOST_IMAGE_BYTES) throw new Fault('DIFFERENCE_IMAGE_LARGE');
}

/** Published older full packages of the same thing, the newest first. */
export async function basesOf(ctx: Ctx, kind: TaskKind, target: PackageRow): Promise<PackageRow[]> {
  const found = await packagesOf(ctx.db, kind)
    .where('f.product_id', '=', target.product_id)
    .where('f.name', '=', target.name)
    .where('f.kind', '=', 'TA')
    .where('f.publish_state', 'in', publishedStates)
    .where('f.id', '<>', target.id)
    .orderBy('f.id', 'desc')
    .limit(MOST)
    .execute();
  return found
    .filter((row) => compareVersions(row.version, target.version) < 0 && row.size <= MOST_IMAGE_BYTES)
    .sort((a, b) => compareVersions(b.version, a.version));
}

/** How many terminals in the scope run each of these versions now. */
export async function devicesOn(
  ctx: Ctx,
  { current, fits }: Pick<RolloutKind, 'current' | 'fits'>,
  target: Pick<PackageRow, 'product_id' | 'name' | 'version'>,
  versions: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (versions.length === 0) return new Map();
  const subject = { name: target.name, version: target.version, productId: target.product_id };
  const has = fits?.(subject) ?? sql`true`;
  const runs = current(subject);
  const rows = await sql<{ version: string; n: number }>`
    select ${runs} as version, count(*)::int as n from device d
    where ${inReach({ subject, deptPath: ctx.scope.path })} and ${has} and ${runs} = any(${versions}::text[]) group by 1`.execute(ctx.db);
  return new Map(rows.rows.map((row) => [row.version, row.n]));
}
