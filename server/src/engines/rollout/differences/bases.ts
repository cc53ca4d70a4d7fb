import { MOST_IMAGE_BYTES } from '@mooring/contract/engines/rollout/difference-calls';
import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Ctx, Db } from '../../../platform/context.ts';
import { canMake } from './make-difference.ts';
import type { DifferenceSource, Version } from './source.ts';

/** As many older versions as anybody updates from. */
export const MOST_OLDER = 500;

/** A version of the kind that the reader sees. */
export const versionOf = (db: Db, { versions }: DifferenceSource, id: number): Promise<Version | undefined> =>
  db.selectFrom(versions.as('f')).selectAll('f').where('f.id', '=', id).executeTakeFirst();

/** What differences lead to, of one's own. */
export async function targetOf(ctx: Ctx, source: DifferenceSource, id: number): Promise<Version> {
  const row = await versionOf(ctx.db, source, id);
  if (!row?.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  return row;
}

/** Refuses what no difference can be made to now. */
export function refuseTarget(source: DifferenceSource, target: Version): void {
  if (!canMake()) throw new Fault('DIFFERENCES_UNAVAILABLE');
  source.refuse(target);
  if (target.size > MOST_IMAGE_BYTES) throw new Fault('DIFFERENCE_IMAGE_LARGE');
}
