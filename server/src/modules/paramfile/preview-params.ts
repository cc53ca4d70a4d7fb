import type { OutputOf } from '@mooring/contract/kit/call';
import { isAllowed } from '@mooring/contract/kit/permission';
import { paramLevelCalls, type paramResultCalls } from '@mooring/contract/paramfile/level-calls';
import { missingOf, type Place, type Resolved, resolve } from '@mooring/contract/paramfile/resolve';
import type { TemplateField } from '@mooring/contract/paramfile/template-fields';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { pathsAbove } from '../../platform/paths-above.ts';
import { type Chain, givenAt, levelsAbove, namesOf, type Sealer } from './levels.ts';
import { chainOf } from './place-of.ts';
import { shownOf } from './read-level.ts';
import { outcomeOf, sectionOf } from './result.ts';
import { fieldsOf, templateOf } from './template-of.ts';

type Result = OutputOf<typeof paramResultCalls.preview>;
type Reported = Readonly<Record<string, Result['fields'][number]['reported']>>;
const reportedOf = (reported: Reported, key: string) => (Object.hasOwn(reported, key) ? (reported[key] ?? null) : null);
const nothing: Resolved = { value: null, from: 'none', lockedBy: null };

/** How the open values stand to what the terminal says. Of secrets it says only that it has them. */
function driftsOf(
  found: ReadonlyMap<string, Resolved>,
  reported: Reported,
  whole: Result['drift'],
): (field: TemplateField) => Result['drift'] {
  const has = (key: string) => Object.hasOwn(reported, key);
  const today = (key: string) => found.get(key)?.value ?? null;
  const isSame = ({ type, key }: TemplateField) =>
    type === 'secret' ? has(key) === (today(key) !== null) : reportedOf(reported, key) === today(key);
  return (field) => {
    if (whole !== 'differs') return whole;
    if (!isSame(field)) return 'differs';
    return field.type === 'secret' && today(field.key) !== null ? 'hidden' : 'same';
  };
}

/** Where the actor may give values for this terminal, from the top. */
async function placesOf(ctx: Ctx, chain: Chain, sn: string): Promise<Place[]> {
  if (!isAllowed(ctx.actor.permissions, paramLevelCalls.give.can)) return [];
  const found = await sql<Place>`
    select 'org' as level, id, name, length(dept_path) as rank from org_dept
      where dept_path = any(${pathsAbove(chain.path)}::text[]) and starts_with(dept_path, ${ctx.scope.path})
    union all select 'merchant', id, name, 1000 from merchant_merchant where id = ${chain.merchantId}
    union all select 'shop', id, name, 1001 from merchant_shop where id = ${chain.shopId} order by rank`.execute(ctx.db);
  const places = found.rows.map(({ level, id, name }) => ({ level, id, name }));
  return [...places, { level: 'device', id: chain.deviceId ?? 0, name: sn }];
}

/** What a terminal would get of a template today, and where each value comes from. */
export const previewParams =
  (app: Sealer) =>
  async (ctx: Ctx, { templateId, deviceId }: { readonly templateId: number; readonly deviceId: number }): Promise<Result> => {
    const template = await templateOf(ctx.db, templateId);
    const fields = fieldsOf(template, 'templateId');
    const chain = await chainOf(ctx.db, deviceId);
    const rows = (await ctx.readOnly((db) => levelsAbove(db, templateId, [chain])))(chain);
    const found = resolve(fields, rows.map(givenAt(app, fields, await namesOf(ctx, rows))));
    const device = await ctx.db
      .selectFrom('device')
      .select(['settings', 'android_params'])
      .where('id', '=', deviceId)
      .executeTakeFirstOrThrow();
    const has = (device.settings as Readonly<Record<string, string>>)[sectionOf(templateId)];
    const { digest, unserved } = outcomeOf(app, { templateId, deviceId, fields, found });
    const drift = has === undefined ? 'unknown' : has === digest ? 'same' : 'differs';
    const reported = device.android_params as Reported;
    const drifts = driftsOf(found, reported, drift);
    return {
      templateId,
      templateName: template.name,
      deviceId,
      sn: chain.sn,
      fields: fields.map((field) => {
        const one = found.get(field.key) ?? nothing;
        return {
          ...shownOf(field, one),
          label: field.label,
          type: field.type,
          required: field.required,
          reported: has === undefined || field.type === 'secret' ? null : reportedOf(reported, field.key),
          drift: drifts(field),
        };
      }),
      missing: missingOf(fields, found).map(({ key }) => key),
      isTooLong: unserved === 'paramTooLong',
      drift,
      places: await placesOf(ctx, chain, chain.sn),
    };
  };

/** The templates that fit the product of a terminal. */
export async function templatesOf(ctx: Ctx, { deviceId }: { readonly deviceId: number }) {
  const { productId } = await chainOf(ctx.db, deviceId);
  return ctx.db
    .selectFrom('paramfile_template')
    .select(['id', 'name'])
    .where((eb) => eb.or([eb('product_id', 'is', null), eb('product_id', '=', productId)]))
    .orderBy('name')
    .orderBy('id')
    .limit(100)
    .execute();
}
