import { Fault } from '@mooring/contract/kit/fault';
import type { DB } from '@mooring/database/tables';
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { contains, partPattern } from '../../platform/db/criteria.ts';
import { broughtLabels, labelOf, labelsOf } from '../../platform/texts/dict-label.ts';

type Entry = Selectable<DB['settings_dict_entry']>;
type Labels = Readonly<Record<string, string>>;
export const productsOf = (row: Entry): number => Number((row as unknown as { products: number }).products);

/** What people call it where that isn't what the product calls it: the rest follows the language packs. */
const ownLabels = (labels: Labels, text_key: string | null): Labels => {
  const brought = broughtLabels(text_key);
  return Object.fromEntries(Object.entries(labels).filter(([lang, label]) => label !== '' && label !== brought[lang]));
};

async function dictId(db: Db, code: string): Promise<number> {
  return (await db.selectFrom('settings_dict').select('id').where('code', '=', code).executeTakeFirstOrThrow()).id;
}

/** Lists and forms of products name these entries. */
async function told(ctx: Ctx, db: Db): Promise<void> {
  for (const group of ['/dict', '/product']) await ctx.invalidate(db, group, '1.');
}

/** The entries of one picklist as rows of their own: there is no second place where they are kept. */
export const entriesOf = (dict: string, column: 'category' | 'industry') => ({
  table: 'settings_dict_entry' as const,
  small: true as const,
  target: (row: Entry) => `${column} ${labelOf(row, 'en')}`,
  joined: (query: SelectQueryBuilder<DB & Record<'t', DB['settings_dict_entry']>, 't', object>) =>
    query
      .innerJoin('settings_dict as d', (join) => join.onRef('d.id', '=', 't.dict_id').on('d.code', '=', dict))
      .select((eb) =>
        eb
          .selectFrom('product_product as p')
          .select((of) => of.fn.countAll<number>().as('n'))
          .whereRef(`p.${column}`, '=', 't.value')
          .as('products'),
      ),
  shown: (row: Entry, ctx: Ctx) => ({
    label: labelOf(row, ctx.lang),
    labels: labelsOf(row),
  }),
  criteria: {
    text: (text: string) => sql<boolean>`(${contains('t.value', text)} or t.labels::text ilike ${partPattern(text)})`,
  },
  columns: async (ctx: Ctx, { labels }: { labels: Labels }, { before, db }: { before: Entry | undefined; db: Db }) => {
    await told(ctx, db);
    const own = JSON.stringify(ownLabels(labels, before?.text_key ?? null));
    return { labels: own, updated_at: ctx.now(), ...(before ? {} : { dict_id: await dictId(db, dict) }) };
  },
  deleted: (ctx: Ctx) => told(ctx, ctx.db),
});

/** A product names one that is offered; the one that it has may stay. */
export async function checkCategory(ctx: Ctx, category: string, before: string | undefined): Promise<void> {
  if (category === before) return;
  const { rows } = await sql`
    select from settings_dict_entry e join settings_dict d on d.id = e.dict_id
    where d.code = 'productCategory' and e.value = ${category} and e.enabled`.execute(ctx.db);
  if (rows.length === 0) throw new Fault('BAD_INPUT', { fields: { category: 'invalid.invalid_value' } });
}
