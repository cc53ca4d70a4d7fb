import { HelpNames } from '@mooring/contract/help/article';
import { HelpCategory, helpCategoryCalls } from '@mooring/contract/help/category';
import { Fault } from '@mooring/contract/kit/fault';
import { sql } from 'kysely';
import type { Db } from '../../platform/context.ts';
import { resource } from '../../platform/resource/resource.ts';
import { told } from './article.resource.ts';

const LEVELS = 3;

/** Below another one, and not in a circle. Two moves at once wait for each other. */
async function checkParent(db: Db, id: number | undefined, parentId: number | null): Promise<void> {
  if (parentId === null) return;
  await sql`select pg_advisory_xact_lock(hashtext('help_category'))`.execute(db);
  const { rows } = await sql<{ above: number; below: number; circle: boolean }>`
    with recursive up as (
      select id, parent_id, 1 as level from help_category where id = ${parentId}
      union all select c.id, c.parent_id, up.level + 1 from help_category c join up on c.id = up.parent_id where up.level < 10
    ), down as (
      select id, 1 as level from help_category where id = ${id ?? 0}
      union all select c.id, down.level + 1 from help_category c join down on c.parent_id = down.id where down.level < 10
    )
    select (select max(level) from up) as above, greatest(1, (select max(level) from down)) as below,
      exists (select from up where id = ${id ?? 0}) as circle`.execute(db);
  const [found] = rows;
  if (!found || found.circle || found.above + found.below > LEVELS)
    throw new Fault('BAD_INPUT', { fields: { parentId: 'invalid.help.circle' } });
}

export const categories = resource(HelpCategory, helpCategoryCalls, {
  table: 'help_category',
  small: true,
  target: (row) => `help category ${row.name}`,
  joined: (query) =>
    query.select((eb) =>
      eb
        .selectFrom('help_article as a')
        .select((of) => of.fn.countAll<number>().as('n'))
        .whereRef('a.category_id', '=', 't.id')
        .as('articles'),
    ),
  inUse: 'HELP_CATEGORY_IN_USE',
  shown: (row) => ({ names: HelpNames.parse(row.names) }),
  cells: { names: (names) => names.map(({ lang, name }) => `${lang}: ${name}`).join('; ') },
  columns: async (ctx, { parentId, names }, { before, db }) => {
    await checkParent(db, before?.id, parentId);
    await told(ctx, db);
    return { names: JSON.stringify(names) };
  },
  deleted: (ctx) => told(ctx, ctx.db),
});
