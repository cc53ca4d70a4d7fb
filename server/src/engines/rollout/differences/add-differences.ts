import { MOST_ENTRIES_BYTES } from '@mooring/contract/app/entries-diff';
import type { DifferenceForm } from '@mooring/contract/engines/rollout/difference-calls';
import { differenceMachine } from '@mooring/contract/engines/rollout/state-machines';
import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx } from '../../../platform/context.ts';
import { unlessRefused } from '../../../platform/db/constraint.ts';
import { recordCreated } from '../../../platform/db/move.ts';
import { refuseTarget, targetOf } from './bases.ts';
import { differenceRows } from './difference-queries.ts';
import type { DifferenceSource, Version } from './source.ts';

const exists = () => new Fault('DIFFERENCE_EXISTS', { fields: { baseIds: 'fault.DIFFERENCE_EXISTS' } });

interface Asked {
  readonly packageId: number;
  readonly enableAtOnce: boolean;
}

/** Unpacked contents are held in memory, which bounds them. */
const formsFor = ({ forms }: DifferenceSource, target: Version, base: Version): readonly DifferenceForm[] =>
  forms.filter((form) => form === 'image' || Math.max(target.size, base.size) <= MOST_ENTRIES_BYTES);

/** Forms of which there is none yet, from a base. */
type Missing = (base: Version) => readonly DifferenceForm[];
async function missingTo(ctx: Ctx, source: DifferenceSource, target: Version): Promise<Missing> {
  const rows = await ctx.db
    .selectFrom('rollout_difference')
    .select(['from_id', 'form'])
    .where('target_id', '=', target.id)
    .where('content', '=', source.content)
    .execute();
  const made = new Set(rows.map((row) => `${row.from_id} ${row.form}`));
  return (base) => formsFor(source, target, base).filter((form) => !made.has(`${base.id} ${form}`));
}

async function addEach(
  ctx: Ctx,
  source: DifferenceSource,
  target: Version,
  bases: readonly Version[],
  missing: Missing,
  { enableAtOnce }: Asked,
): Promise<{ started: number }> {
  const wanted = bases.flatMap((base) => missing(base).map((form) => ({ base, form })));
  const rows = wanted.map(({ base, form }) => ({
    content: source.content,
    ...source.pair(target.id, base.id),
    form,
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
  await ctx.invalidate(ctx.db, source.group, target.dept_path);
  ctx.audit({ target: target.label, after: { bases: bases.map((base) => base.shown), enableAtOnce } });
  return { started: made.length };
}

/** What could be chosen as a base, with what speaks for it. */
export async function listBases(ctx: Ctx, source: DifferenceSource, packageId: number) {
  const target = await targetOf(ctx, source, packageId);
  const bases = await source.bases(ctx, target);
  const versions = bases.map((base) => base.version);
  const [on, missing] = [await source.devicesOn(ctx, target, versions), await missingTo(ctx, source, target)];
  return bases.map((base) => ({
    id: base.id,
    version: base.shown,
    size: base.size,
    devices: on.get(base.version) ?? 0,
    made: missing(base).length === 0,
  }));
}

export async function addDifferences(ctx: Ctx, source: DifferenceSource, input: Asked & { baseIds: readonly number[] }) {
  const target = await targetOf(ctx, source, input.packageId);
  refuseTarget(source, target);
  const wanted = new Set(input.baseIds);
  const bases = (await source.bases(ctx, target)).filter((base) => wanted.has(base.id));
  if (bases.length < wanted.size) throw new Fault('DIFFERENCE_BASE_WRONG', { fields: { baseIds: 'fault.DIFFERENCE_BASE_WRONG' } });
  const missing = await missingTo(ctx, source, target);
  if (bases.some((base) => missing(base).length === 0)) throw exists();
  return addEach(ctx, source, target, bases, missing, input);
}

/** From each version in use, what there isn't yet. */
export async function addAllDifferences(ctx: Ctx, source: DifferenceSource, input: Asked) {
  const target = await targetOf(ctx, source, input.packageId);
  refuseTarget(source, target);
  const [bases, missing] = [await source.bases(ctx, target), await missingTo(ctx, source, target)];
  const on = await source.devicesOn(
    ctx,
    target,
    bases.map((base) => base.version),
  );
  const wanted = bases.filter((base) => missing(base).length > 0 && (on.get(base.version) ?? 0) > 0);
  if (wanted.length === 0) throw new Fault('DIFFERENCE_NO_BASES');
  return addEach(ctx, source, target, wanted, missing, input);
}
