import { MOST_ENTRIES_BYTES } from '@mooring/contract/app/entries-diff';
import { type DifferenceForm, MOST_IMAGE_BYTES } from '@mooring/contract/engines/rollout/difference-calls';
import { differenceMachine } from '@mooring/contract/engines/rollout/state-machines';
import { Fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../../platform/context.ts';
import { unlessRefused } from '../../../platform/db/constraint.ts';
import { recordCreated } from '../../../platform/db/move.ts';
import { refuseTarget, targetOf, versionOf } from './bases.ts';
import { differenceRows } from './difference-queries.ts';
import { canMake } from './make-difference.ts';
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
async function missingTo(db: Db, source: DifferenceSource, target: Version): Promise<Missing> {
  const rows = await db
    .selectFrom('rollout_difference')
    .select(['from_id', 'form'])
    .where('target_id', '=', target.id)
    .where('content', '=', source.content)
    .execute();
  const made = new Set(rows.map((row) => `${row.from_id} ${row.form}`));
  return (base) => formsFor(source, target, base).filter((form) => !made.has(`${base.id} ${form}`));
}

interface Adding {
  readonly source: DifferenceSource;
  readonly target: Version;
  readonly bases: readonly Version[];
  readonly missing: Missing;
  readonly enableAtOnce: boolean;
  /** Whose rights are asked for again when one is enabled, and whose room it takes. */
  readonly by: { readonly userId: number; readonly userName: string };
}
async function addEach(ctx: Pick<Ctx, 'now' | 'invalidate'>, db: Db, { source, target, bases, missing, enableAtOnce, by }: Adding) {
  const wanted = bases.flatMap((base) => missing(base).map((form) => ({ base, form })));
  const rows = wanted.map(({ base, form }) => ({
    content: source.content,
    ...source.pair(target.id, base.id),
    form,
    state: differenceMachine.states.generating.code,
    enable_at_once: enableAtOnce,
    dept_id: target.dept_id,
    dept_path: target.dept_path,
    created_by: by.userId,
    created_by_name: by.userName,
    created_at: ctx.now(),
  }));
  const made = await unlessRefused(
    db,
    () => db.insertInto('rollout_difference').values(rows).returning('id').execute(),
    ({ kind }) => (kind === 'unique' ? exists() : undefined),
  );
  await recordCreated(
    db,
    differenceRows,
    made.map((row) => row.id),
    by.userId,
  );
  await ctx.invalidate(db, source.group, target.dept_path);
  return { started: made.length };
}

/** A person asks for them. */
function addAsked(ctx: Ctx, { enableAtOnce }: Asked, adding: Omit<Adding, 'enableAtOnce' | 'by'>) {
  ctx.audit({ target: adding.target.label, after: { bases: adding.bases.map((base) => base.shown), enableAtOnce } });
  return addEach(ctx, ctx.db, { ...adding, enableAtOnce, by: ctx.actor });
}

/** What could be chosen as a base, with what speaks for it. */
export async function listBases(ctx: Ctx, source: DifferenceSource, packageId: number) {
  const target = await targetOf(ctx, source, packageId);
  const bases = await source.bases(ctx, target);
  const versions = bases.map((base) => base.version);
  const [on, missing] = [await source.devicesOn(ctx, target, versions), await missingTo(ctx.db, source, target)];
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
  const missing = await missingTo(ctx.db, source, target);
  if (bases.some((base) => missing(base).length === 0)) throw exists();
  return addAsked(ctx, input, { source, target, bases, missing });
}

/** From each version in use, what there isn't yet. */
export async function addAllDifferences(ctx: Ctx, source: DifferenceSource, input: Asked) {
  const target = await targetOf(ctx, source, input.packageId);
  refuseTarget(source, target);
  const [bases, missing] = [await source.bases(ctx, target), await missingTo(ctx.db, source, target)];
  const on = await source.devicesOn(
    ctx,
    target,
    bases.map((base) => base.version),
  );
  const wanted = bases.filter((base) => missing(base).length > 0 && (on.get(base.version) ?? 0) > 0);
  if (wanted.length === 0) throw new Fault('DIFFERENCE_NO_BASES');
  return addAsked(ctx, input, { source, target, bases: wanted, missing });
}

/** In use by themselves are versions that at least one in a hundred of the terminals with an older one runs; each takes room of its owner's. */
const LEAST_SHARE = 0.01;
const MOST_USED = 12;

/**
 * What there isn't yet from the versions in use, whosesoever the terminals are, those of most terminals first, put to use as soon as it is
 * verified: made when a version may be sent, for the person who brought it. Twice is harmless.
 */
export async function addForUse(
  ctx: Pick<Ctx, 'now' | 'invalidate' | 'scope'>,
  db: Db,
  source: DifferenceSource,
  id: number,
  by: Adding['by'],
): Promise<void> {
  const target = await versionOf(db, source, id);
  if (!target?.open || target.size > MOST_IMAGE_BYTES || !canMake()) return;
  const everywhere = { db, scope: { ...ctx.scope, path: '' } };
  const [bases, missing] = [await source.bases(everywhere, target), await missingTo(db, source, target)];
  const on = await source.devicesOn(
    everywhere,
    target,
    bases.map((base) => base.version),
  );
  const devices = ({ version }: Version) => on.get(version) ?? 0;
  const least = Math.max(1, LEAST_SHARE * [...on.values()].reduce((all, one) => all + one, 0));
  const wanted = bases
    .filter((base) => devices(base) >= least && missing(base).length > 0)
    .toSorted((a, b) => devices(b) - devices(a))
    .slice(0, MOST_USED);
  if (wanted.length > 0) await addEach(ctx, db, { source, target, bases: wanted, missing, enableAtOnce: true, by });
}
