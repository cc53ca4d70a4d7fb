import { Fault } from '@mooring/contract/kit/fault';
import type { Db } from '../../platform/context.ts';
import { broughtIn, dataTypeOf, editedIn } from '../../platform/texts/texts.ts';
import { followTexts } from './follow-texts.ts';
import { knownLanguage } from './known-languages.ts';

export async function supportedLanguages(db: Db) {
  const rows = await db
    .selectFrom('language_language')
    .select(['lang_code', 'publish_status'])
    .where('publish_status', '=', '1')
    .orderBy('id')
    .execute();
  return rows.map((row) => {
    const known = knownLanguage(row.lang_code);
    return {
      language: known?.native ?? row.lang_code,
      langCode: row.lang_code,
      publishStatus: row.publish_status,
      rightToLeft: known?.rightToLeft ?? false,
    };
  });
}

/** What a published language says, by dataType. Traditional Chinese stands on simplified; the console puts English below the others. */
export async function servedTexts(db: Db, langCode: string) {
  await followTexts(db);
  const known = knownLanguage(langCode);
  const row =
    known && (await db.selectFrom('language_language').select('publish_status').where('lang_code', '=', known.code).executeTakeFirst());
  if (!known || row?.publish_status !== '1') throw new Fault('LANGUAGE_UNKNOWN');
  const below = known.code.startsWith('zh-') && known.code !== 'zh-CN' ? [...broughtIn('zh-CN'), ...editedIn('zh-CN')] : [];
  const tables = new Map<string, Record<string, string>>();
  for (const [key, text] of [...below, ...broughtIn(known.code), ...editedIn(known.code)]) {
    const dataType = dataTypeOf.get(key);
    if (dataType === undefined) continue;
    const table = tables.get(dataType) ?? {};
    table[key] = text;
    tables.set(dataType, table);
  }
  return [...tables].map(([dataType, content]) => ({ dataType, content }));
}
