import { statfs } from 'node:fs/promises';
import { type SettingOf, type SettingType, settingKinds, settingSecrets } from '@mooring/contract/settings/kinds';
import type { SystemSetting } from '@mooring/contract/settings/system-calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Ctx } from '../../platform/context.ts';
import { fileSourceOf } from '../../platform/files/open-store.ts';
import type { House } from '../../platform/house.ts';
import { readSetting, writeSetting } from '../../platform/settings.ts';

const types = Object.keys(settingKinds) as SettingType[];

async function show(ctx: Ctx, type: SettingType): Promise<z.input<typeof SystemSetting>> {
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
export async function saveSetting<T extends SettingType>(ctx: Ctx, house: House, type: T, value: SettingOf<T>): Promise<null> {
  const before = await show(ctx, type);
  await ctx.unscoped((db) => writeSetting(db, house.masterKey, type, value, ctx.now()));
  const hidden: readonly string[] = settingSecrets[type] ?? [];
  const after = Object.fromEntries(Object.entries(value).filter(([field]) => !hidden.includes(field)));
  ctx.audit({ target: `setting ${type}`, before: before.value, after });
  return null;
}

export async function storageOf(ctx: Ctx, house: House) {
  const { config } = house;
  const files = await ctx.unscoped(
    async (db) =>
      (
        await sql<{ files: number; bytes: number; database: number }>`
          select count(*)::int as files, coalesce(sum(size), 0)::float8 as bytes, pg_database_size(current_database())::float8 as database
          from (select distinct on (sha256) sha256, size from file_file order by sha256) blobs`.execute(db)
      ).rows[0],
  );
  const source = fileSourceOf(config);
  const free = source === 's3' ? undefined : await statfs(config.DATA_DIR).catch(() => undefined);
  return {
    source,
    place: source === 's3' ? `${config.S3_ENDPOINT}/${config.S3_BUCKET}` : config.DATA_DIR,
    files: files?.files ?? 0,
    bytes: files?.bytes ?? 0,
    databaseBytes: files?.database ?? 0,
    freeBytes: free ? free.bavail * free.bsize : null,
  };
}
