import type { ParsedInputOf } from '@mooring/contract/kit/call';
import { Fault, fault } from '@mooring/contract/kit/fault';
import { paramFaults } from '@mooring/contract/paramfile/android-calls';
import type { paramLevelCalls } from '@mooring/contract/paramfile/level-calls';
import { ownValue, type Resolved } from '@mooring/contract/paramfile/resolve';
import { isGiven, type TemplateField, templateLimits, wrongValue } from '@mooring/contract/paramfile/template-fields';
import { sql } from 'kysely';
import type { Ctx } from '../../platform/context.ts';
import { type LevelRow, levelColumns, lockLevel, namesOf, type Sealer, sealedOf, secretsOf } from './levels.ts';
import { type Placed, placeNamed } from './place-of.ts';
import { inheritedAt, rowAt, showLevel } from './read-level.ts';
import { fieldsOf, templateOf } from './template-of.ts';

type Input = ParsedInputOf<typeof paramLevelCalls.give>;
type Values = Readonly<Record<string, unknown>>;
interface Given {
  readonly values: Values;
  readonly secrets: Readonly<Record<string, string>>;
  readonly locked: readonly string[];
}

type Above = ReadonlyMap<string, Resolved>;
const wordsOf = ({ key, label }: TemplateField) => label || key;
const isSecret = ({ type }: TemplateField) => type === 'secret';

/** Whether what stands could ever count for the field again: of another type it is a remnant, which nobody could take away below a lock. */
function isOfType({ type }: TemplateField, value: unknown): boolean {
  if (type === 'number' || type === 'boolean') return typeof value === type;
  return typeof value === 'string';
}

/** What stood of a field that is locked above: it is kept as it stood, and not judged. */
function keptOf(field: TemplateField, before: LevelRow | undefined, secrets: Values): unknown {
  const value = ownValue(isSecret(field) ? secrets : (before?.values ?? {}), field.key);
  return isOfType(field, value) ? value : undefined;
}

/** What shall stand there: secrets that are kept beside those that come, and what is locked above as it was. */
function givenOf(app: Sealer, fields: readonly TemplateField[], input: Input, before: LevelRow | undefined, above: Above): Given {
  const stood = before ? secretsOf(app, before) : {};
  const typed = new Map(input.secrets.map(({ key, value }) => [key, value]));
  const isFixed = ({ key }: TemplateField) => (above.get(key)?.lockedBy ?? null) !== null;
  const standing = (field: TemplateField): unknown => {
    const { key } = field;
    if (isFixed(field)) return keptOf(field, before, stood);
    if (isSecret(field)) return typed.get(key) ?? (input.secretKeys.includes(key) ? ownValue(stood, key) : undefined);
    return ownValue(input.values, key);
  };
  const part = (hidden: boolean) =>
    Object.fromEntries(
      fields.flatMap((field) => {
        const value = isSecret(field) === hidden ? standing(field) : undefined;
        return isGiven(value) ? [[field.key, value]] : [];
      }),
    );
  return {
    values: part(false),
    secrets: part(true) as Record<string, string>,
    locked: fields.filter((field) => (isFixed(field) ? before?.locked : input.locked)?.includes(field.key) ?? false).map(({ key }) => key),
  };
}

/**
 * What is wrong with a value that comes, each at its own field. A key that a template hasn't, or has as a secret, is none of its values; what is
 * locked above isn't held against anything.
 */
function judge(fields: readonly TemplateField[], input: Input, { values, secrets }: Given, above: Above): void {
  const wrong: Record<string, { key: string; params: Record<string, string | number> }> = {};
  let first: keyof typeof paramFaults | undefined;
  const say = (problem: keyof typeof paramFaults, key: string, field: string, limit = 0) => {
    first ??= problem;
    wrong[`values.${key}`] = { key: `fault.${paramFaults[problem]}`, params: { field, limit } };
  };
  const named = (hidden: boolean, key: string) => fields.some((one) => one.key === key && isSecret(one) === hidden);
  for (const [key, value] of Object.entries(input.values)) if (isGiven(value) && !named(false, key)) say('unknown', key, key);
  for (const { key } of input.secrets) if (!named(true, key)) say('unknown', key, key);
  for (const field of fields) {
    if (above.get(field.key)?.lockedBy) continue;
    const value = ownValue(isSecret(field) ? secrets : values, field.key);
    const found = isGiven(value) ? wrongValue(field, value) : undefined;
    if (found) say(found.problem, field.key, wordsOf(field), found.limit);
  }
  const [at] = Object.values(wrong);
  if (first !== undefined && at) throw new Fault(paramFaults[first], { params: at.params, fields: wrong });
}

/** Nothing comes for what is locked above that didn't stand there. Of a secret nothing at all: who guesses isn't told that it is the same. */
function keepLocks(fields: readonly TemplateField[], input: Input, before: LevelRow | undefined, above: Above): void {
  for (const field of fields) {
    const { key } = field;
    const lock = above.get(key)?.lockedBy;
    if (!lock) continue;
    const value = ownValue(input.values, key);
    const isTyped = isSecret(field)
      ? input.secrets.some((one) => one.key === key)
      : isGiven(value) && value !== ownValue(before?.values ?? {}, key);
    if (!isTyped && (!input.locked.includes(key) || before?.locked.includes(key))) continue;
    const params = { field: wordsOf(field), place: lock.name };
    throw new Fault('PARAM_LOCKED', { params, fields: { [`values.${key}`]: { key: 'fault.PARAM_LOCKED', params } } });
  }
}

function weigh({ values, secrets }: Given): void {
  if (Buffer.byteLength(JSON.stringify({ values, secrets })) > templateLimits.bytes)
    throw new Fault('PARAM_MANY', { params: { kb: templateLimits.bytes / 1024 }, fields: { values: 'fault.PARAM_MANY' } });
}

const placeColumns = ({ level, id, dept_id, dept_path }: Placed) => ({
  level,
  dept_id,
  dept_path,
  merchant_id: level === 'merchant' ? id : null,
  shop_id: level === 'shop' ? id : null,
  device_id: level === 'device' ? id : null,
});

async function write(ctx: Ctx, app: Sealer, templateId: number, place: Placed, given: Given, before: LevelRow | undefined) {
  const values = {
    values: JSON.stringify(given.values),
    locked: [...given.locked],
    secret_keys: Object.keys(given.secrets),
    sealed: sealedOf(app, given.secrets),
    given: Object.keys(given.values).length + Object.keys(given.secrets).length,
    updated_by: ctx.actor.userName,
    updated_at: ctx.now(),
  };
  if (before) {
    const changed = await ctx.db.updateTable('paramfile_level').set(values).where('id', '=', before.id).executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw fault('OVERTAKEN');
    return;
  }
  await ctx.db
    .insertInto('paramfile_level')
    .values({ ...values, ...placeColumns(place), template_id: templateId })
    .execute();
}

/** For the log, of secrets only whose there are. */
const logged = (row: Pick<LevelRow, 'values' | 'locked' | 'secret_keys'> | undefined) =>
  row && { values: row.values, locked: row.locked, secretKeys: row.secret_keys };

/** All that stands at a place from now on, of two at once by one after the other. */
export const giveLevel = (app: Sealer) => async (ctx: Ctx, input: Input) => {
  const { templateId } = input;
  const template = await templateOf(ctx.db, templateId);
  const fields = fieldsOf(template, 'templateId');
  const place = await placeNamed(ctx.db, input, true);
  // An organisation above is read from below, and not changed.
  if (!place.dept_path.startsWith(ctx.scope.path)) throw fault('NOT_FOUND');
  await lockLevel(ctx.db, templateId, place);
  const before = await rowAt(ctx.db, templateId, place, true);
  if (input.revision !== undefined && input.revision !== (before?.revision ?? 0)) throw fault('OVERTAKEN');
  const above = await inheritedAt(ctx, app, templateId, fields, place);
  const given = givenOf(app, fields, input, before, above);
  judge(fields, input, given, above);
  keepLocks(fields, input, before, above);
  weigh(given);
  await write(ctx, app, templateId, place, given, before);
  ctx.audit({
    target: `${template.name}: ${place.name}`,
    before: logged(before),
    after: logged({ ...given, secret_keys: Object.keys(given.secrets) }),
  });
  await ctx.invalidate(ctx.db, paramGroup);
  return showLevel(ctx, app, templateId, place);
};

type Cleared = LevelRow & { readonly template_id: number; readonly template: string };
/** Nothing stands at the place any more; what stood there is on record. */
export async function clearLevel(ctx: Ctx, { id }: { readonly id: number }): Promise<null> {
  const find = async (held: boolean) => {
    const found = await sql<Cleared>`
      select ${levelColumns}, l.template_id, t.name as template from paramfile_level l join paramfile_template t on t.id = l.template_id
      where l.id = ${id} and starts_with(l.dept_path, ${ctx.scope.path}) ${held ? sql`for update of l` : sql``}`.execute(ctx.db);
    if (!found.rows[0]) throw fault('NOT_FOUND');
    return found.rows[0];
  };
  const { template_id, level, place_id } = await find(false);
  await lockLevel(ctx.db, template_id, { level, id: place_id });
  const row = await find(true);
  await ctx.db.deleteFrom('paramfile_level').where('id', '=', id).execute();
  ctx.audit({ target: `${row.template}: ${(await namesOf(ctx, [row]))(row)}`, before: logged(row) });
  await ctx.invalidate(ctx.db, paramGroup);
  return null;
}
/** The group of the calls of templates and their values. */
const paramGroup = '/paramfile/template/level';
