import { Fault, fault } from '@mooring/contract/kit/fault';
import { ChangeTarget } from '@mooring/contract/settings/change-request-calls';
import { type SettingOf, type SettingType, settingKinds, settingSecrets } from '@mooring/contract/settings/kinds';
import { type SystemSetting, systemSettingCalls } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { AppContext } from '../../platform/app-context.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { lockSet } from '../../platform/db/lock-set.ts';
import { freeDisk } from '../../platform/files/free-disk.ts';
import { fileSourceOf } from '../../platform/files/open-store.ts';
import { checkOutside } from '../../platform/outbound/door.ts';
import { readSetting, writeSetting } from '../../platform/settings.ts';
import { checkGrant, heldBy, heldNow, isAdministrator } from '../access/api.ts';
import { applyOrHold } from './change-requests/hold.ts';

const types = Object.keys(settingKinds) as SettingType[];

type Shown = z.input<typeof SystemSetting>;
async function show(ctx: Ctx, type: SettingType): Promise<Shown> {
  const stored = (await readSetting(ctx.db, type)) as Record<string, unknown>;
  const row = await ctx.db.selectFrom('settings_value').select('updated_at').where('type', '=', type).executeTakeFirst();
  const hidden: readonly string[] = settingSecrets[type] ?? [];
  return {
    type,
    value: Object.fromEntries(Object.entries(stored).filter(([field]) => !hidden.includes(field))),
    secrets: hidden.filter((field) => Boolean(stored[field])),
    updatedAt: row?.updated_at ?? null,
  };
}

export const findSettings = (ctx: Ctx, type: SettingType | undefined) =>
  Promise.all(types.filter((one) => type === undefined || one === type).map((one) => show(ctx, one)));

/** Written past the bound role, which may only read settings: the call's permission says who may. */
export async function saveSetting<T extends SettingType>(
  ctx: Ctx,
  app: AppContext,
  type: T,
  { seen, ...given }: SettingOf<T> & { seen?: string | null | undefined },
): Promise<{ changeRequestId: number } | null> {
  const value = given as unknown as SettingOf<T>;
  if (looks.includes(type)) checkTop(ctx);
  else await checkAdministrator(ctx);
  const before = await show(ctx, type);
  checkSecrets(type, before, value as Record<string, unknown>);
  const hidden: readonly string[] = settingSecrets[type] ?? [];
  const after = Object.fromEntries(Object.entries(value).filter(([field]) => !hidden.includes(field)));
  const outcome = await ctx.unscoped(async (db) => {
    await lockSet(db, `setting ${type}`);
    const row = await db.selectFrom('settings_value').select('updated_at').where('type', '=', type).executeTakeFirst();
    if (seen !== undefined && (row?.updated_at.toISOString() ?? null) !== seen) throw fault('OVERTAKEN');
    const write = () => writeSetting(db, app.masterKey, type, value, ctx.now(), ctx.actor.userId);
    const change = dualChangeOf(type);
    if (change === undefined) await write();
    else {
      const secrets = hidden.filter((field) => (value as Record<string, unknown>)[field] !== undefined);
      return applyOrHold(ctx, app, db, { ...change, input: { ...given, seen }, before: before.value, after, secrets }, write);
    }
    return null;
  });
  ctx.audit({ target: `setting ${type}`, ...(outcome ? { after: outcome } : { before: before.value, after }) });
  return outcome;
}

/** What the change of a setting is in the eyes of dual control; undefined where one person is enough. */
function dualChangeOf(type: SettingType) {
  const target = ChangeTarget.safeParse(type);
  if (!target.success) return undefined;
  const call = systemSettingCalls[target.data as keyof typeof systemSettingCalls];
  return { target: target.data, call, administrators: true };
}

/**
 * What holds for the whole installation is decided by its platform administrators: those who hold everything and belong to its top. A role
 * with the permission may be held in one product line; it is enough for how the console looks.
 */
/** By their roles: what is withheld from somebody whose real name isn't checked could else never be given back. */
export const administers = async (ctx: Ctx): Promise<boolean> =>
  !ctx.actor.apiToken && ctx.actor.deptPath === TOP && (await ctx.readOnly((db) => holdsEverything(db, ctx.actor.userId)));
export const holdsEverything = async (db: Db, userId: number): Promise<boolean> =>
  isAdministrator((await heldBy(db, [userId])).get(userId) ?? new Set());
export async function checkAdministrator(ctx: Ctx): Promise<void> {
  if (!(await administers(ctx))) throw new Fault('SETTING_ADMINISTRATOR', { code: 403 });
}
function checkTop(ctx: Ctx): void {
  if (ctx.actor.deptPath !== TOP) throw new Fault('SETTING_ADMINISTRATOR', { code: 403 });
}
const TOP = '1.';
const looks: readonly SettingType[] = ['branding', 'project'];

/** Where a secret goes, by the fields that say it: to another place it isn't sent. */
const destinations: { readonly [T in SettingType]?: readonly string[] } = {
  mail: ['host', 'port', 'security', 'user'],
  sms: ['url'],
  singleSignOn: ['issuer', 'clientId'],
};
function checkSecrets(type: SettingType, before: Shown, value: Record<string, unknown>): void {
  const fields = destinations[type] ?? [];
  const moved = fields.some((field) => before.value[field] !== value[field]);
  const missing = moved ? before.secrets.filter((field) => value[field] === undefined) : [];
  // Nowhere is no other place: there it is forgotten.
  if (value[fields[0] ?? ''] === '') for (const field of missing) value[field] = '';
  else if (missing.length > 0)
    throw new Fault('SECRET_AGAIN', { fields: Object.fromEntries(missing.map((field) => [field, 'fault.SECRET_AGAIN'])) });
}

/** What the server may reach though it isn't public, asked apart: names are looked up without a transaction. */
export const allowedNow = async (ctx: Ctx) => (await ctx.unscoped((db) => readSetting(db, 'outbound'))).allowed;

/** A host that people name, if one is given. Fault: ADDRESS_NOT_PUBLIC. */
export async function checkReach(ctx: Ctx, host: string, field: string): Promise<void> {
  if (host !== '') await checkOutside(host, await allowedNow(ctx), field, 'passes');
}

/** The rules of single sign-on give roles: whoever saves them gives them. Faults: ROLE_ABOVE, ROLE_NOT_HERE. */
export async function checkRules(ctx: Ctx, { rules }: SettingOf<'singleSignOn'>): Promise<void> {
  const held = await heldNow(ctx);
  await ctx.unscoped(async (db) => {
    for (const [at, { roleId, deptId }] of rules.entries()) {
      const place = deptId === undefined ? undefined : await placeOf(db, deptId);
      if (roleId === undefined) continue;
      await checkGrant(db, held, [roleId], place).catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error;
        throw new Fault(error.fault, { fields: { [`rules.${at}.roleId`]: `fault.${error.fault}` } });
      });
    }
  });
}
const placeOf = (db: Db, id: number) =>
  db.selectFrom('org_dept').select(['dept_path as path', 'kind']).where('id', '=', id).executeTakeFirst();

export async function storageOf(ctx: Ctx, app: AppContext) {
  const { config } = app;
  const files = await ctx.unscoped(
    async (db) =>
      (
        await sql<{ files: number; bytes: number; database: number }>`
          select count(*)::int as files, coalesce(sum(size), 0)::float8 as bytes, pg_database_size(current_database())::float8 as database
          from (select distinct on (sha256) sha256, size from file_file order by sha256) blobs`.execute(db)
      ).rows[0],
  );
  const source = fileSourceOf(config);
  const free = source === 's3' ? undefined : await freeDisk(config.DATA_DIR).catch(() => undefined);
  return {
    source,
    place: source === 's3' ? `${config.S3_ENDPOINT}/${config.S3_BUCKET}` : config.DATA_DIR,
    files: files?.files ?? 0,
    bytes: files?.bytes ?? 0,
    databaseBytes: files?.database ?? 0,
    freeBytes: free ?? null,
  };
}
