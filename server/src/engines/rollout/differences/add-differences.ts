import { differenceMachine } from '@mooring/contract/engines/rollout/state-machines';
import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../../platform/context.ts';
import { unlessRefused } from '../../../platform/db/constraint.ts';
import { recordCreated } from '../../../platform/db/move.ts';
import { nameOf, type PackageRow } from '../packages/package-queries.ts';
import type { RolloutKind } from '../task.ts';
import { basesOf, devicesOn, refuseTarget, targetOf } from './bases.ts';
import { differenceRows, groupOf } from './difference-queries.ts';

const exists = () => new Fault('DIFFERENCE_EXISTS', { fields: { baseIds: 'fault.DIFFERENCE_EXISTS' } });

interface Asked {
  readonly packageId: number;
  readonly enableAtOnce: boolean;
}

async function addEach(
  ctx: Ctx,
  { of }: RolloutKind,
  target: PackageRow,
  bases: readonly PackageRow[],
  { enableAtOnce }: Asked,
): Promise<{ started: number }> {
  const rows = bases.map((base) => ({
    content: of.kind,
    package_id: target.id,
    base_id: base.id,
    state: differenceMachine.states.generating.code,
    enable_at_once: enableAtOnce,
    dept_id: target.dept_id,
    dept_path: target.dept_path,
    created_by: ctx.actor.userId,
    created_by_name: ctx.actor.userName,
    created_at: ctx.now(),
  }));
  const made = await unlessRefused(
    ctx.db,
    () => ctx.db.insertInto('rollout_difference').values(rows).returning('id').execute(),
    ({ kind }) => (kind === 'unique' ? exists() : undefined),
  );
  await recordCreated(
    ctx.db,
    differenceRows,
    made.map((row) => row.id),
    ctx.actor.userId,
  );
  await ctx.invalidate(ctx.db, groupOf(of), target.dept_path);
  ctx.audit({ target: nameOf(target), after: { bases: bases.map((base) => base.version), enableAtOnce } });
  return { started: made.length };
}

const madeFrom = async (ctx: Ctx, target: PackageRow): Promise<ReadonlySet<number>> => {
  const rows = await ctx.db.selectFrom('rollout_difference').select('base_id').where('package_id', '=', target.id).execute();
  return new Set(rows.map((row) => row.base_id));
};

/** What could be chosen as a base, with what speaks for it. */
export async function listBases(ctx: Ctx, kind: RolloutKind, packageId: number) {
  const target = await targetOf(ctx, kind.of, packageId);
  const bases = await basesOf(ctx, kind.of, target);
  const versions = bases.map((base) => base.version);
  const [on, made] = [await devicesOn(ctx, kind, target, versions), await madeFrom(ctx, target)];
  return bases.map(({ id, version, size }) => ({ id, version, size, devices: on.get(version) ?? 0, made: made.has(id) }));
}

export async function addDifferences(ctx: Ctx, kind: RolloutKind, input: Asked & { baseIds: readonly number[] }) {
  const target = await targetOf(ctx, kind.of, input.packageId);
  refuseTarget(target);
  const wanted = new Set(input.baseIds);
  const bases = (await basesOf(ctx, kind.of, target)).filter((base) => wanted.has(base.id));
  if (bases.length < wanted.size) throw new Fault('DIFFERENCE_BASE_WRONG', { fields: { baseIds: 'fault.DIFFERENCE_BASE_WRONG' } });
  return addEach(ctx, kind, target, bases, input);
}

/** From each version in use that has none yet. */
export async function addAllDifferences(ctx: Ctx, kind: RolloutKind, input: Asked) {
  const target = await targetOf(ctx, kind.of, input.packageId);
  refuseTarget(target);
  const [bases, made] = [await basesOf(ctx, kind.of, target), await madeFrom(ctx, target)];
  const on = await devicesOn(
    ctx,
    kind,
    target,
    bases.map((base) => base.version),
  );
  const wanted = bases.filter((base) => !made.has(base.id) && (on.get(base.version) ?? 0) > 0);
  if (wanted.length === 0) throw new Fault('DIFFERENCE_NO_BASES');
  return addEach(ctx, kind, target, wanted, input);
}
