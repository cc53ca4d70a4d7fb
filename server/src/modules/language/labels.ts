import { Fault, fault } from '@mooring/contract/kit/fault';
import type { Label, labelCalls } from '@mooring/contract/language/label-calls';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { valuesOf } from '../../platform/db/criteria.ts';
import type { Handler } from '../../platform/module.ts';
import { broughtIn, dataTypeOf, editedIn, english } from '../../platform/texts/texts.ts';
import { argumentsOf, faultOfText } from './check-text.ts';
import { followTexts } from './follow-texts.ts';
import { knownLanguage } from './known-languages.ts';
import { compareBy, pageOfList } from './languages.ts';

/** The stored code of a known language. Fault: LANGUAGE_UNKNOWN. */
export function codeOfLanguage(langCode: string): string {
  const known = knownLanguage(langCode);
  if (!known) throw new Fault('LANGUAGE_UNKNOWN');
  return known.code;
}

type State = 'missing' | 'builtIn' | 'edited';
export interface Text {
  readonly key: string;
  readonly english: string;
  readonly text: string | null;
  readonly state: State;
}
/** Every text of the product with what a language says for it. */
export function textsOf(lang: string): Text[] {
  const [own, built] = [editedIn(lang), broughtIn(lang)];
  return [...english].map(([key, original]) => {
    const text = own.get(key) ?? built.get(key) ?? null;
    return { key, english: original, text, state: own.has(key) ? 'edited' : text === null ? 'missing' : 'builtIn' };
  });
}

export const pageLabels: Handler<typeof labelCalls.page> = async (ctx, { criteria, page: wanted }) => {
  await followTexts(ctx.db);
  const lang = codeOfLanguage(criteria.langCode ?? 'en');
  const [types, states] = [valuesOf(criteria.dataType), valuesOf(criteria.state)];
  const part = criteria.text?.toLowerCase();
  const mayEdit = ctx.actor.permissions.has('language:label:update');
  const list = textsOf(lang)
    .filter((one) => !types || types.includes(dataTypeOf.get(one.key) ?? ''))
    .filter((one) => !states || states.includes(one.state))
    .filter((one) => !part || [one.key, one.english, one.text ?? ''].some((text) => text.toLowerCase().includes(part)))
    .sort(
      compareBy<Text>(
        wanted.order,
        wanted.sort === 'dataType' ? (one) => dataTypeOf.get(one.key) ?? '' : (one) => one.key,
        (one) => one.key,
      ),
    );
  const found = pageOfList(list, wanted);
  return {
    ...found,
    content: found.content.map(
      (one): z.input<typeof Label> => ({
        id: one.key,
        ...one,
        dataType: dataTypeOf.get(one.key) ?? '',
        args: argumentsOf(one.english),
        ...allowing(mayEdit ? (one.state === 'edited' ? ['edit', 'reset'] : ['edit']) : []),
      }),
    ),
  };
};

/** Writes texts and counts the language's revision up, so that every process reads them again. */
export async function writeTexts(ctx: Ctx, db: Db, lang: string, texts: ReadonlyMap<string, string>): Promise<void> {
  const [keys, said] = [[...texts.keys()], [...texts.values()]];
  await sql`insert into language_text (lang_code, key, text, updated_at, updated_by)
    select ${lang}, key, text, ${ctx.now()}, ${ctx.actor.userId} from unnest(${keys}::text[], ${said}::text[]) t (key, text)
    on conflict (lang_code, key) do update set text = excluded.text, updated_at = excluded.updated_at, updated_by = excluded.updated_by`.execute(
    db,
  );
  await bump(ctx, db, lang);
}
const bump = (ctx: Ctx, db: Db, lang: string) =>
  db.updateTable('language_language').set({ revision: sql`revision + 1`, updated_at: ctx.now() }).where('lang_code', '=', lang).execute();

/** What a language says now. Saves of a language wait for each other until this transaction ends. */
async function textNow(db: Db, lang: string, key: string): Promise<string | null> {
  await db.selectFrom('language_language').select('id').where('lang_code', '=', lang).forUpdate().execute();
  const own = await db.selectFrom('language_text').select('text').where('lang_code', '=', lang).where('key', '=', key).executeTakeFirst();
  return own?.text ?? broughtIn(lang).get(key) ?? null;
}

export const editLabel: Handler<typeof labelCalls.edit> = async (ctx, { langCode, key, text, seen }) => {
  const lang = codeOfLanguage(langCode);
  const wrong = faultOfText(key, text);
  if (wrong) throw new Fault(wrong, { fields: { text: `fault.${wrong}` } });
  await ctx.unscoped(async (db) => {
    const before = await textNow(db, lang, key);
    if (seen !== undefined && seen !== before) throw fault('OVERTAKEN');
    await writeTexts(ctx, db, lang, new Map([[key, text]]));
    ctx.audit({ target: `text ${lang} ${key}`, before, after: text });
  });
  return null;
};

export const resetLabel: Handler<typeof labelCalls.reset> = async (ctx, { langCode, key, seen }) => {
  const lang = codeOfLanguage(langCode);
  if (!english.has(key)) throw new Fault('LABEL_UNKNOWN');
  await ctx.unscoped(async (db) => {
    const before = await textNow(db, lang, key);
    if (seen !== undefined && seen !== before) throw fault('OVERTAKEN');
    await db.deleteFrom('language_text').where('lang_code', '=', lang).where('key', '=', key).execute();
    await bump(ctx, db, lang);
  });
  ctx.audit({ target: `text ${lang} ${key}`, after: broughtIn(lang).get(key) ?? null });
  return null;
};
