import { numbered } from '@mooring/contract/desktop/numbered';
import { sql } from 'kysely';
import type { BackOf, WayBack } from '../../engines/rollout/previous-versions.ts';
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
    const { place } = task.content as { readonly place?: string };
    const at = part === 'advert' ? sql`place = ${place ?? ''}` : sql`true`;
    const where = place === undefined ? {} : { place };
    // The same bytes may stand in several: the one that can be sent, then the newest.
    const { rows } = await sql<Found>`
      select distinct on (version) id, name, number, version, state from ${sql.table(table)}
      where version = any(${had.filter((one) => one !== null)}::text[]) and version <> '' and ${at} order by version, state = 'published' desc, id desc`.execute(
      ctx.db,
    );
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
