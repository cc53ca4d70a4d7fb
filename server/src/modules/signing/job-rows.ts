import { fault } from '@mooring/contract/kit/fault';
import { signingJobMachine } from '@mooring/contract/signing/state-machines';
import type { Ctx, Db } from '../../platform/context.ts';
import { statefulTable } from '../../platform/db/move.ts';
import { DROP_BLOB } from '../file/api.ts';

export const jobRows = statefulTable('signing_job', signingJobMachine);
export const JOB_GROUP = '/api/keystore/job';
export const jobLink = '/apkTool';
/** The background job that signs. */
export const SIGN = 'signing:sign';

export type JobRow = Awaited<ReturnType<typeof jobById>>;
/** A signature beside a file by a profile: what terminals of its products ask for, as long as the file is released. */
export const isForTerminals = ({ profile, profile_kind: kind }: Pick<JobRow, 'profile' | 'profile_kind'>): boolean =>
  profile === 'cms' && kind !== '';

/** By its id, under whichever policy `db` is bound to. */
export async function jobById(db: Db, id: number) {
  const row = await db.selectFrom('signing_job').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw fault('NOT_FOUND');
  return row;
}

/** The bytes aren't needed for it any more. */
export async function dropBytes(ctx: Pick<Ctx, 'enqueue'>, db: Db, sha256s: readonly string[]): Promise<void> {
  for (const sha256 of new Set(sha256s)) await ctx.enqueue(db, DROP_BLOB, { sha256 });
}
