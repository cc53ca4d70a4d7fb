import { sql } from 'kysely';
import type { BackOf, WayBack } from '../../engines/rollout/previous-versions.ts';
import { PARAM_DIGEST } from './add-set.ts';

/** Had a file that is in no upload any more. */
const UNKNOWN = '?';

/** The newest upload in which a terminal's file is the one that it had; nobody's file is removed, and so nobody goes back to none. */
export const fileBack: BackOf = {
  was: sql<string | null>`case when r.from_version is not null then coalesce((select max(f.set_id)::text from paramfile_file f
    where f.device_id = r.device_id and left(f.sha256, ${sql.lit(PARAM_DIGEST)}) = r.from_version), ${UNKNOWN}) end`,
  async to(ctx, _task, had) {
    const ids = had.filter((one) => one !== null && one !== UNKNOWN).map(Number);
    const rows = await ctx.db
      .selectFrom('paramfile_set')
      .select(['id', 'name'])
      .where('id', '=', sql<number>`any(${ids}::bigint[])`)
      .execute();
    const ways = new Map<string | null, WayBack>([[null, { cant: 'noRemoval' }]]);
    for (const { id, name } of rows) ways.set(String(id), { content: { setId: id, setName: name } });
    return ways;
  },
};
