import { type SettingOf, type SettingType, settingKinds, settingSecrets } from '@mooring/contract/settings/kinds';
import type { z } from 'zod';
import type { MasterKey } from './config/master-key.ts';
import type { Db } from './context.ts';

/** What the master key seals the secrets of settings for. */
const SEALED = 'setting';
const defaultsOf = (type: SettingType) => (settingKinds[type] as z.ZodType).parse({}) as Record<string, unknown>;

/** A setting as it is stored, with the defaults for what isn't there. Secrets are sealed text; see `openSecret`. */
export async function readSetting<T extends SettingType>(db: Db, type: T): Promise<SettingOf<T>> {
  const row = await db.selectFrom('settings_value').select('value').where('type', '=', type).executeTakeFirst();
  // Field by field: one that an older version stored otherwise falls back alone.
  const shape = settingKinds[type].shape as Record<string, z.ZodType>;
  const stored = (row?.value ?? {}) as Record<string, unknown>;
  const kept = Object.entries(stored).filter(([field, value]) => shape[field]?.safeParse(value).success || isSecret(type, field));
  return { ...defaultsOf(type), ...Object.fromEntries(kept) } as SettingOf<T>;
}

/** Who saved a setting last: what it gives, it gives in their name. */
export async function savedBy(db: Db, type: SettingType): Promise<number | null> {
  const row = await db.selectFrom('settings_value').select('saved_by').where('type', '=', type).executeTakeFirst();
  return row?.saved_by ?? null;
}

export async function savedAt(db: Db, type: SettingType): Promise<Date | null> {
  const row = await db.selectFrom('settings_value').select('updated_at').where('type', '=', type).executeTakeFirst();
  return row?.updated_at ?? null;
}

const isSecret = (type: SettingType, field: string): boolean => settingSecrets[type]?.includes(field) ?? false;

/** Stores a setting whole. A secret that isn't given stays as it was; an empty one is forgotten. */
export async function writeSetting<T extends SettingType>(
  db: Db,
  masterKey: MasterKey,
  type: T,
  value: SettingOf<T>,
  now: Date,
  savedBy: number | null = null,
): Promise<void> {
  const before = (await readSetting(db, type)) as Record<string, unknown>;
  const next: Record<string, unknown> = { ...value };
  for (const field of settingSecrets[type] ?? []) {
    const given = next[field];
    if (given === undefined) next[field] = before[field];
    else next[field] = given === '' ? undefined : masterKey.seal(SEALED, Buffer.from(String(given))).toString('base64');
  }
  const stored = JSON.stringify(next);
  await db
    .insertInto('settings_value')
    .values({ type, value: stored, updated_at: now, saved_by: savedBy })
    .onConflict((on) => on.column('type').doUpdateSet({ value: stored, updated_at: now, saved_by: savedBy }))
    .execute();
}

/** A sealed field of a setting in the clear; empty where none is stored. */
export const openSecret = (masterKey: MasterKey, sealed: string | undefined | null): string =>
  sealed ? masterKey.open(SEALED, Buffer.from(sealed, 'base64')).toString() : '';
