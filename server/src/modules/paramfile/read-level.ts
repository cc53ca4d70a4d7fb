import type { OutputOf } from '@mooring/contract/kit/call';
import { isAllowed } from '@mooring/contract/kit/permission';
import { paramLevelCalls } from '@mooring/contract/paramfile/level-calls';
import { isInForce, type Resolved, resolve } from '@mooring/contract/paramfile/resolve';
import type { ParamValue, TemplateField } from '@mooring/contract/paramfile/template-fields';
import { sql } from 'kysely';
import type { Ctx, Db } from '../../platform/context.ts';
import { all, containsWords } from '../../platform/db/criteria.ts';
import { givenAt, type LevelRow, levelColumns, levelsAbove, namesOf, type Sealer } from './levels.ts';
import { type Placed, type PlaceInput, placeNamed } from './place-of.ts';
import { fieldsOf, templateOf } from './template-of.ts';

type Inherited = OutputOf<typeof paramLevelCalls.read>['inherited'][number];

/** Of a secret only that it is set. */
export const shownOf = ({ key, type }: TemplateField, { value, from, lockedBy }: Resolved): Inherited => ({
  key,
  value: type === 'secret' ? null : value,
  isSet: value !== null,
  from,
  lockedBy,
});
/** By what its row names a place. */
const columnOf = { org: 'dept_id', merchant: 'merchant_id', shop: 'shop_id', device: 'device_id' } as const;
const nothing: Resolved = { value: null, from: 'none', lockedBy: null };

/** What stands at a place itself. */
export async function rowAt(
  db: Db,
  templateId: number,
  { level, id }: Pick<Placed, 'level' | 'id'>,
  isHeld = false,
): Promise<LevelRow | undefined> {
  const found = await sql<LevelRow>`
    select ${levelColumns} from paramfile_level l where l.template_id = ${templateId} and l.level = ${level} and ${sql.ref(`l.${columnOf[level]}`)} = ${id}
    ${isHeld ? sql`for update of l` : sql``}`.execute(db);
  return found.rows[0];
}

/** What counts at a place before it says anything itself. */
export async function inheritedAt(ctx: Ctx, app: Sealer, templateId: number, fields: readonly TemplateField[], { above }: Placed) {
  const rows = (await ctx.readOnly((db) => levelsAbove(db, templateId, [above])))(above);
  return resolve(fields, rows.map(givenAt(app, fields, await namesOf(ctx, rows))));
}

function unfitOf(app: Sealer, fields: readonly TemplateField[], row: LevelRow | undefined): string[] {
  if (!row) return [];
  const { values } = givenAt(app, fields)(row);
  const stands = [...Object.keys(row.values), ...row.secret_keys];
  return stands.filter((key) => {
    const field = fields.find((one) => one.key === key);
    return !field || !isInForce(field, Object.hasOwn(values, key) ? values[key] : undefined);
  });
}

export async function showLevel(ctx: Ctx, app: Sealer, templateId: number, place: Placed): Promise<OutputOf<typeof paramLevelCalls.read>> {
  const template = await templateOf(ctx.db, templateId);
  const fields = fieldsOf(template, 'templateId');
  const inherited = await inheritedAt(ctx, app, templateId, fields, place);
  const row = await rowAt(ctx.db, templateId, place);
  const hidden = new Set(fields.filter(({ type }) => type === 'secret').map(({ key }) => key));
  return {
    place: { level: place.level, id: place.id, name: place.name },
    templateName: template.name,
    revision: row?.revision ?? 0,
    fields: [...fields],
    values: Object.fromEntries(Object.entries(row?.values ?? {}).filter(([key]) => !hidden.has(key))) as Record<string, ParamValue>,
    secretKeys: [...(row?.secret_keys ?? [])],
    locked: [...(row?.locked ?? [])],
    unfit: unfitOf(app, fields, row),
    inherited: fields.map((field) => shownOf(field, inherited.get(field.key) ?? nothing)),
    maySave: place.dept_path.startsWith(ctx.scope.path) && isAllowed(ctx.actor.permissions, paramLevelCalls.give.can),
  };
}

export const readLevel =
  (app: Sealer) =>
  async (ctx: Ctx, input: PlaceInput & { readonly templateId: number }): Promise<OutputOf<typeof paramLevelCalls.read>> =>
    showLevel(ctx, app, input.templateId, await placeNamed(ctx.db, input));

type OfPlace = OutputOf<typeof paramLevelCalls.ofPlace>;
const MOST = 50;
/** The templates that the actor sees, with how much of each stands at a place; what stands there is looked up by its index. */
export async function templatesAt(ctx: Ctx, { text, ...named }: PlaceInput & { readonly text: string }): Promise<OfPlace> {
  const { level, id } = await placeNamed(ctx.db, named);
  const { rows } = await sql<OfPlace[number]>`
    select t.id, t.name, coalesce(l.given, 0) as given, coalesce(l.locked_count, 0) as "lockedCount"
    from paramfile_template t
    left join paramfile_level l on l.template_id = t.id and l.level = ${level} and ${sql.ref(`l.${columnOf[level]}`)} = ${id}
    where ${all(text === '' ? undefined : containsWords(['t.name'], text))}
    order by (coalesce(l.given, 0) + coalesce(l.locked_count, 0) = 0), t.name, t.id limit ${MOST}`.execute(ctx.db);
  return rows;
}
