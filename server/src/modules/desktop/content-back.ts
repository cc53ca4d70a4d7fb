import { numbered } from '@mooring/contract/desktop/numbered';
import { sql } from 'kysely';
import type { BackOf, WayBack } from '../../engines/rollout/had-before.ts';
import type { Part } from './parts.ts';

interface Found {
  readonly id: number;
  readonly name: string;
  readonly number: number | null;
  readonly version: string;
  readonly state: string;
}

/** What was shown before, known by the digest of its archive; where nothing was, the terminal's own comes back. */
export const contentBack = ({ table, part }: Part): BackOf => ({
  async to(ctx, task, had) {
    const { place, contentId = null } = task.content as { readonly place?: string; readonly contentId?: number | null };
    const at = part === 'advert' ? sql`v.place = ${place ?? ''}` : sql`true`;
    const where = place === undefined ? {} : { place };
    const digests = had.flatMap(({ version }) => (version === null ? [] : [version]));
    // The same bytes may stand in several: the one that can be sent, of the same content, owner and product, then the newest.
    const { rows } = await sql<Found>`
      select distinct on (v.version) v.id, v.name, v.number, v.version, v.state
      from ${sql.table(table)} v left join ${sql.table(table)} b on b.id = ${contentId}
      where v.version = any(${digests}::text[]) and v.version <> '' and ${at}
        and (v.product_id is null or ${task.product_id}::bigint is null or v.product_id = ${task.product_id})
      order by v.version, v.state = 'published' desc, v.line_id is not distinct from b.line_id desc, v.dept_path = ${task.dept_path} desc,
        v.product_id is not distinct from b.product_id desc, v.id desc`.execute(ctx.db);
    const ways = new Map<string | null, WayBack>([[null, { content: { action: 'reset', contentId: null, contentName: '', ...where } }]]);
    for (const row of rows)
      ways.set(
        row.version,
        row.state === 'published'
          ? { content: { action: 'config', contentId: row.id, contentName: numbered(row), ...where } }
          : { cant: 'notPublished' },
      );
    return ways;
  },
});
