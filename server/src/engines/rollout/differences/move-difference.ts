import { verifications } from '@mooring/contract/engines/rollout/difference-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../../platform/context.ts';
import { move } from '../../../platform/db/move.ts';
import { refuseTarget, targetOf } from './bases.ts';
import {
  type DifferenceRow,
  differenceName,
  differenceRow,
  differenceRows,
  differencesOf,
  enabled,
  isWorth,
} from './difference-queries.ts';
import type { DifferenceSource } from './source.ts';
import type { Bytes } from './tools.ts';

type Act = 'enable' | 'disable' | 'recheck' | 'regenerate' | 'giveUp';
/** Nothing of what was made before is kept. */
const anew = { sha256: null, size: 0, frames: 0, seconds: null, made_at: null, percent: 0, tries: 0, reason: null };
/** Made again, by whomever, it goes into use by a person's word: who asked for it first isn't asked. */
const waits = { enable_at_once: false, tried_for: null };
const noLease = { lease: null, lease_until: null };
const sets: Readonly<Record<Act, Readonly<Record<string, unknown>>>> = {
  enable: {},
  disable: waits,
  recheck: { ...noLease, tries: 0, reason: null, verification: verifications.none },
  regenerate: { ...anew, ...noLease, ...waits, verification: verifications.none },
  giveUp: { ...anew, ...noLease, ...waits, verification: verifications.none },
};

async function ownDifference(ctx: Ctx, source: DifferenceSource, id: number): Promise<DifferenceRow> {
  const row = await differencesOf(ctx.db, source).where('x.id', '=', id).executeTakeFirst();
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}

export async function moveDifference(ctx: Ctx, source: DifferenceSource, bytes: Bytes, id: number, act: Act) {
  const before = await ownDifference(ctx, source, id);
  if (act === 'enable' && before.made_at !== null && !isWorth(before)) throw new Fault('DIFFERENCE_NOT_WORTH');
  if (act === 'recheck' && before.sha256 === null && before.made_at !== null) throw new Fault('DIFFERENCE_NO_FILE');
  if (act === 'regenerate') refuseTarget(source, await targetOf(ctx, source, before.to_id));
  // What was in use goes back there, for whoever has it tried.
  const tried = act === 'recheck' ? { enable_at_once: before.state === enabled, tried_for: ctx.actor.userId } : {};
  const moved = await move(ctx.db, differenceRows, act, [id], { actorId: ctx.actor.userId, set: { ...sets[act], ...tried } });
  if (moved.length === 0) throw fault('OVERTAKEN');
  if ('sha256' in sets[act] && before.sha256 !== null) await bytes.drop(ctx.db, before.sha256);
  const row = await ownDifference(ctx, source, id);
  await ctx.invalidate(ctx.db, source.group, row.dept_path);
  ctx.audit({ target: differenceName(row), before: { state: before.state }, after: { state: row.state } });
  const on = await source.devicesOn(ctx, { ...row, id: row.to_id }, [row.base]);
  return differenceRow(ctx, source, row, on.get(row.base) ?? 0);
}

export async function deleteDifference(ctx: Ctx, source: DifferenceSource, bytes: Bytes, id: number): Promise<null> {
  const row = await ownDifference(ctx, source, id);
  const gone = await ctx.db
    .deleteFrom('rollout_difference')
    .where('id', '=', id)
    .where('state', '<>', enabled)
    .returning('sha256')
    .executeTakeFirst();
  if (!gone) throw new Fault('DIFFERENCE_ENABLED');
  if (gone.sha256 !== null) await bytes.drop(ctx.db, gone.sha256);
  await ctx.invalidate(ctx.db, source.group, row.dept_path);
  ctx.audit({ target: differenceName(row), before: { state: row.state, base: row.base } });
  return null;
}

const ofPackage = (id: number) => sql<boolean>`(package_id = ${id} or base_id = ${id})`;
const bytesIn = (rows: readonly { sha256: string | null }[]) => rows.flatMap(({ sha256 }) => sha256 ?? []);

/** Those that lead to a version which is out no more; from it terminals may still go on. */
export async function dropDifferencesTo(db: Db, { content }: DifferenceSource, target: number): Promise<string[]> {
  const gone = db.deleteFrom('rollout_difference').where('target_id', '=', target).where('content', '=', content);
  return bytesIn(await gone.returning('sha256').execute());
}

/** The bytes of those that start from a package or lead to it, whoever has them. Where its row goes, the database takes them along. */
export const madeFrom = async (db: Db, packageId: number): Promise<string[]> =>
  bytesIn(await db.selectFrom('rollout_difference').select('sha256').where(ofPackage(packageId)).execute());

/** They go too where its row stays, since ended releases tell of it. */
export const dropDifferences = async (db: Db, packageId: number): Promise<string[]> =>
  bytesIn(await db.deleteFrom('rollout_difference').where(ofPackage(packageId)).returning('sha256').execute());
