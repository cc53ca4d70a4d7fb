import { sql } from 'kysely';
import type { BackOf, WayBack } from '../previous-versions.ts';
import type { SubjectOf, TaskRow } from '../task.ts';

/** So many earlier releases of the same are looked through for what a digest stands for. */
const LOOKED = 200;

interface SettingBack {
  /** The digest that terminals have of what a release set; nothing where it can't be told any more. */
  digestOf(ctx: Parameters<BackOf['to']>[0], task: SubjectOf): Promise<string | null>;
  readonly was?: BackOf['was'];
  /** What puts back what was there before anything was set. */
  reset(content: object): object;
}

/** What was set before, known by its digest, as the release that set it said it; where nothing was set, that is put back. */
export const settingBack = ({ digestOf, reset, was }: SettingBack): BackOf => ({
  ...(was ? { was } : {}),
  async to(ctx, task, had) {
    const ways = new Map<string | null, WayBack>();
    if (had.includes(null)) ways.set(null, { content: reset(task.content as object) });
    const sought = new Set(had.filter((one) => one !== null));
    if (sought.size === 0) return ways;
    const { rows } = await sql<Pick<TaskRow, 'id' | 'package_id' | 'product_id' | 'content'>>`
      select id, package_id, product_id, content from rollout_task
      where kind = ${task.kind} and subject = ${task.subject} and id < ${task.id} and started_at is not null order by id desc limit ${LOOKED}`.execute(
      ctx.db,
    );
    for (const row of rows) {
      const digest = await digestOf(ctx, row);
      if (digest === null || !sought.delete(digest)) continue;
      ways.set(digest, { content: row.content as object });
      if (sought.size === 0) break;
    }
    return ways;
  },
});
