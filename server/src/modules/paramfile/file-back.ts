import { type RawBuilder, sql } from 'kysely';
import { type BackOf, hadBefore, UNKNOWN, type WayBack } from '../../engines/rollout/had-before.ts';
import { PARAM_DIGEST } from './add-set.ts';

/** Files `f` that are the one that the terminal of a result `r` had before it. */
const isTheirs = sql<boolean>`f.device_id = r.device_id and left(f.sha256, ${sql.lit(PARAM_DIGEST)}) = r.from_version`;

/** The newest upload in which a terminal's file is the one that it had; nobody's file is removed, and so nobody goes back to none. */
export const fileBack: BackOf = {
  was: async (): Promise<RawBuilder<string | null>> => sql<string | null>`case when r.from_version is null then ${hadBefore}
    else coalesce((select max(f.set_id)::text from paramfile_file f where ${isTheirs}), ${sql.lit(UNKNOWN)}) end`,
  // Another upload with the same file may come while a release waits: which is the newest says nothing then.
  isOf: (had) => sql<boolean>`exists (select from paramfile_file f where f.set_id::text = ${had} and ${isTheirs})`,
  async to(ctx, _task, had) {
    const ids = had.flatMap(({ version }) => (version === null || version === UNKNOWN ? [] : [Number(version)]));
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
