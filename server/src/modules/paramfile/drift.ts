import type { OutputOf } from '@mooring/contract/kit/call';
import { COUNT_CAP } from '@mooring/contract/kit/page';
import type { paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';

/** What a terminal would get today; nothing where a required value is missing. */
export interface Wanted {
  readonly deviceId: number;
  readonly path: string;
  readonly wanted: string | null;
}

/** Kept of each terminal that is sent its own result, so that who is behind is known without resolving anything. */
export async function noteWanted(db: Db, templateId: number, rows: readonly Wanted[]): Promise<void> {
  if (rows.length === 0) return;
  const given = JSON.stringify(rows.map(({ deviceId, path, wanted }) => ({ id: deviceId, path, wanted })));
  await sql`
    insert into paramfile_given (template_id, device_id, dept_path, wanted)
    select ${templateId}, x.id, x.path, x.wanted from jsonb_to_recordset(${given}::jsonb) as x(id bigint, path text, wanted text) order by x.id
    on conflict (template_id, device_id) do update set wanted = excluded.wanted, dept_path = excluded.dept_path`.execute(db);
}

/** Whether a place where is to be looked again is at or above a device `d`. */
const isBelow = sql<boolean>`(s.level = 'all' or s.level = 'org' and d.dept_path >= s.path and d.dept_path < s.path || '~'
  or s.level = 'merchant' and d.merchant_id = s.place_id or s.level = 'shop' and d.shop_id = s.place_id)`;

/** Of a device `d` that has today's result, that it has it; what is to be looked at again counts as another one. */
export const ownCurrent = (templateId: number, section: string): RawBuilder<string | null> => sql<string | null>`
  case when exists (select from paramfile_given g where g.template_id = ${templateId} and g.device_id = d.id and not g.stale and g.wanted = d.settings ->> ${section})
    and not exists (select from paramfile_stale s where s.template_id = ${templateId} and ${isBelow}) then 'own' else d.settings ->> ${section} end`;

/** Terminals that have another result than today's. */
export async function behindOf(
  ctx: Ctx,
  { templateId, most }: { readonly templateId: number; readonly most: number },
): Promise<OutputOf<typeof paramResultCalls.behind>> {
  // One that is gone, or whose product the template isn't for any more, is brought up to date by nobody.
  const behind = sql`from paramfile_given g join paramfile_template t on t.id = g.template_id join device d on d.id = g.device_id
    where g.template_id = ${templateId} and g.behind and d.deleted_at is null and (t.product_id is null or d.product_id = t.product_id)`;
  const counted = await sql<{ n: number; counting: boolean }>`
    select (select count(*) from (select 1 ${behind} limit ${COUNT_CAP + 1}) c)::int as n,
      (exists (select from paramfile_stale where template_id = ${templateId})
        or exists (select from paramfile_given where template_id = ${templateId} and stale)) as counting`.execute(ctx.db);
  const { n, counting } = counted.rows[0] ?? { n: 0, counting: false };
  const found = await sql<{ id: number; sn: string; name: string; deptName: string }>`
    select x.id, x.sn, x.name, o.name as "deptName" from (select d.id, d.sn, d.name, d.dept_id ${behind} order by g.device_id limit ${most}) x
    join org_dept o on o.id = x.dept_id order by x.id`.execute(ctx.db);
  return { count: Math.min(n, COUNT_CAP), capped: n > COUNT_CAP, counting, terminals: found.rows };
}
