import type { appVersionCalls } from '@mooring/contract/app/calls';
import { taskTypes } from '@mooring/contract/engines/approval/steps';
import { sql } from 'kysely';
import type { Handler } from '../../platform/module.ts';

interface Row {
  readonly id: number;
  readonly versionId: number;
  readonly versionName: string;
  readonly versionCode: number;
  readonly life: 'appReview' | 'appPublish';
  readonly event: string;
  readonly text: string;
  readonly by: string;
  readonly onBehalfOf: string[];
  readonly files: { id: number; name: string; size: number }[];
  readonly at: Date;
}

/** What was given with an act, as long as its approval remembers it; most were given nothing, and ask nothing. */
const given = sql`case when c.detail -> 'files' is null then '[]'::json else (select coalesce(json_agg(json_build_object('id', g.file_id, 'name', g.name, 'size', g.size) order by g.file_id), '[]') from (
  select distinct f.file_id, f.name, f.size from approval_audit x join approval_record r on r.audit_id = x.id join approval_file f on f.record_id = r.id
  where x.task_type = ${taskTypes.app} and x.task_id = v.id and c.detail -> 'files' @> to_jsonb(f.file_id)) g) end`;

/** What happened to the versions of an app, the newest first; of those that are listed for a reader nothing. */
export const pageHistory: Handler<typeof appVersionCalls.history> = async (ctx, { appId, before, size }) => {
  const { rows } = await sql<Row>`
    select c.id, v.id as "versionId", v.version_name as "versionName", v.version_code as "versionCode", c.life, c.event,
      coalesce(c.detail ->> 'text', '') as text, coalesce(c.detail ->> 'by', v.created_by) as by,
      coalesce(c.detail -> 'onBehalfOf', '[]') as "onBehalfOf", c.at,
      ${given} as files
    from app_version v join state_change c on c.life in ('appReview', 'appPublish') and c.row_id = v.id
    where v.app_id = ${appId} and v.deleted_at is null and c.event not in ('publish', 'recheck') and c.id < ${before ?? Number.MAX_SAFE_INTEGER}
    order by c.id desc limit ${size + 1}`.execute(ctx.db);
  const content = rows.slice(0, size);
  return { content, next: rows.length > size ? (content.at(-1)?.id ?? null) : null };
};
