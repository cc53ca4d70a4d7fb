import { isDeepStrictEqual } from 'node:util';
import { fault } from '@mooring/contract/kit/fault';
import type { AndroidParamsKept } from '@mooring/contract/paramfile/android-calls';
import { missingOf, resolveJudged } from '@mooring/contract/paramfile/resolve';
import { type TemplateField, TemplateFields } from '@mooring/contract/paramfile/template-fields';
import type { z } from 'zod';
import type { Payload, Target } from '../../engines/rollout/task.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { shareSet } from '../../platform/db/lock-set.ts';
import { sealSettings } from '../../platform/gateway/sealed-settings.ts';
import { noteWanted, type Wanted } from './drift.ts';
import { type Chain, judgedOnce, type LevelRow, levelsAbove, type Sealer, wantedSet } from './levels.ts';
import { outcomeOf, sectionOf } from './result.ts';
import { fieldsOf, templateOf } from './template-of.ts';

/** What a release of own results brings; no digest reads so. */
export const OWN_RESULT = 'own';
const NAMED = 200;

/** The fields that a release was made with, whatever the template has become since. */
async function fieldsAt(db: Db, templateId: number, revision: number | null): Promise<readonly TemplateField[]> {
  const { name } = await templateOf(db, templateId);
  const version = await db
    .selectFrom('paramfile_template_version')
    .select('fields')
    .where('template_id', '=', templateId)
    .where('no', '<=', revision ?? 1)
    .orderBy('no', 'desc')
    .executeTakeFirst();
  if (!version) throw fault('NOT_FOUND');
  return fieldsOf({ name, fields: version.fields });
}

export const chainsOf = async (db: Db, ids: readonly number[]): Promise<readonly Chain[]> => {
  const rows = await db
    .selectFrom('device')
    .select(['id', 'dept_path', 'merchant_id', 'shop_id'])
    .where('id', 'in', [...ids])
    .execute();
  return rows.map((row) => ({ path: row.dept_path, merchantId: row.merchant_id, shopId: row.shop_id, deviceId: row.id }));
};

/** What each gets by these fields, whose places are each read once. */
export function outcomes(app: Sealer, templateId: number, fields: readonly TemplateField[], above: (chain: Chain) => readonly LevelRow[]) {
  const read = judgedOnce(app, fields);
  return (chain: Chain) =>
    outcomeOf(app, { templateId, deviceId: chain.deviceId ?? 0, fields, found: resolveJudged(fields, above(chain).map(read)) });
}
const wordsOf = ({ key, label }: TemplateField): string => label || key;

const named = (fields: readonly TemplateField[]): string => fields.map(wordsOf).join(', ').slice(0, NAMED);

/** Of these terminals, those that a required value is given at no level for, with the names of such fields. */
export async function missingAt(
  ctx: Pick<Ctx, 'db' | 'readOnly'>,
  app: Sealer,
  templateId: number,
  deviceIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const required = fieldsOf(await templateOf(ctx.db, templateId)).filter((field) => field.required);
  if (required.length === 0) return new Map();
  const chains = await chainsOf(ctx.db, deviceIds);
  const above = await ctx.readOnly((db) => levelsAbove(db, templateId, chains));
  const read = judgedOnce(app, required);
  return new Map(
    chains.flatMap((chain): [number, string][] => {
      const missing = missingOf(required, resolveJudged(required, above(chain).map(read)));
      return missing.length === 0 ? [] : [[chain.deviceId ?? 0, named(missing)]];
    }),
  );
}

/** To each terminal what counts for it now: a wave's places are read together. */
export async function ownResults(
  db: Db,
  app: Sealer,
  { templateId, templateRevision }: Pick<z.output<typeof AndroidParamsKept>, 'templateId' | 'templateRevision'>,
  targets: readonly Target[],
): Promise<Map<number, Payload | { readonly unserved: string; readonly message?: string }>> {
  const fields = await fieldsAt(db, templateId, templateRevision);
  // What a release of older fields brings isn't what the terminal would get today.
  const today = TemplateFields.safeParse((await templateOf(db, templateId)).fields);
  await shareSet(db, wantedSet(templateId));
  const chains = await chainsOf(
    db,
    targets.map((target) => target.deviceId),
  );
  const above = await levelsAbove(db, templateId, chains);
  const outcome = outcomes(app, templateId, fields, above);
  const outcomeToday = !today.success || isDeepStrictEqual(today.data, fields) ? outcome : outcomes(app, templateId, today.data, above);
  const section = sectionOf(templateId);
  const wanted: Wanted[] = [];
  const results = new Map(
    chains.map((chain): [number, Payload | { unserved: string; message?: string }] => {
      const deviceId = chain.deviceId ?? 0;
      const sent = outcome(chain);
      if (sent.unserved === 'paramTooLong') return [deviceId, { unserved: sent.unserved }];
      if (sent.unserved !== undefined) return [deviceId, { unserved: sent.unserved, message: named(sent.missing) }];
      if (today.success) wanted.push({ deviceId, path: chain.path, wanted: outcomeToday(chain).digest });
      const { values, isSecret } = sent;
      const settings = { section, values };
      return [deviceId, { settings: isSecret ? sealSettings(app.masterKey, settings) : settings }];
    }),
  );
  await noteWanted(db, templateId, wanted);
  return results;
}
