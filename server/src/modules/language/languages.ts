import { Fault, fault } from '@mooring/contract/kit/fault';
import { COUNT_CAP, type Page, type PageInput } from '@mooring/contract/kit/page';
import { type Language, languageAdminCalls } from '@mooring/contract/language/label-calls';
import { languageMachine } from '@mooring/contract/language/state-machines';
import { sql } from 'kysely';
import type { z } from 'zod';
import { allowedActions, allowing } from '../../platform/allowed-actions.ts';
import type { Ctx, Db } from '../../platform/context.ts';
import { valuesOf } from '../../platform/db/criteria.ts';
import { move, statefulTable } from '../../platform/db/move.ts';
import type { Handler } from '../../platform/module.ts';
import { broughtIn, editedIn, english } from '../../platform/texts/texts.ts';
import { followTexts } from './follow-texts.ts';
import { knownLanguage, knownLanguages } from './known-languages.ts';

const rows = statefulTable('language_language', languageMachine, 'publish_status');
/** English and Chinese are what the console falls back to. */
const needed = ['en', 'zh-CN'];

/** Every language is a row; English, Chinese and those that the product brings are published on the first start. */
export const seedLanguages = (published: readonly string[]) => async (db: Db) => {
  for (const { code } of knownLanguages) {
    await db
      .insertInto('language_language')
      .values({ lang_code: code, publish_status: published.includes(code) ? '1' : '0' })
      .onConflict((on) => on.column('lang_code').doNothing())
      .execute();
  }
};

type Row = { id: number; lang_code: string; publish_status: string; updated_at: Date | null };
function languageOf(ctx: Ctx, row: Row): z.input<typeof Language> {
  const known = knownLanguage(row.lang_code);
  const edited = editedIn(row.lang_code);
  const texts = new Set([...broughtIn(row.lang_code).keys(), ...[...edited.keys()].filter((key) => english.has(key))]).size;
  const { publish, unpublish } = languageAdminCalls;
  const next = allowedActions(ctx, { publish, unpublish }, { machine: languageMachine, state: row.publish_status });
  return {
    id: row.id,
    langCode: row.lang_code,
    nativeName: known?.native ?? row.lang_code,
    englishName: known?.english ?? row.lang_code,
    rightToLeft: known?.rightToLeft ?? false,
    publishStatus: row.publish_status,
    texts,
    total: english.size,
    coverage: texts / english.size,
    edited: edited.size,
    updatedAt: row.updated_at,
    ...allowing(next.filter((event) => (event === 'publish' ? texts > 0 : !needed.includes(row.lang_code)))),
  };
}

/** A page of a list that fits into memory. It gives no cursors, so it takes none. */
export function pageOfList<T>(list: readonly T[], wanted: PageInput): Page<T> {
  if (wanted.after !== undefined || wanted.before !== undefined || (wanted.number - 1) * wanted.size > COUNT_CAP) throw fault('BAD_INPUT');
  const pages = Math.max(1, Math.ceil(list.length / wanted.size));
  const number = wanted.last ? pages : wanted.number;
  return {
    content: list.slice((number - 1) * wanted.size, number * wanted.size),
    total: list.length,
    capped: false,
    number,
    size: wanted.size,
    next: null,
    prev: null,
  };
}
export function compareBy<T>(order: 'asc' | 'desc', ...of: ((item: T) => string | number)[]) {
  const sign = order === 'asc' ? 1 : -1;
  return (a: T, b: T): number => {
    for (const [at, value] of of.entries()) {
      const [left, right] = [value(a), value(b)];
      const found = typeof left === 'number' && typeof right === 'number' ? left - right : String(left).localeCompare(String(right), 'en');
      if (found !== 0) return at === 0 ? sign * found : found;
    }
    return 0;
  };
}

export const pageLanguages: Handler<typeof languageAdminCalls.page> = async (ctx, { criteria, page: wanted }) => {
  await followTexts(ctx.db);
  const found = await ctx.db.selectFrom('language_language').selectAll().execute();
  const text = criteria.text?.toLowerCase();
  const states = valuesOf(criteria.publishStatus);
  const list = found
    .map((row) => languageOf(ctx, row))
    .filter((one) => !states || states.includes(one.publishStatus))
    .filter((one) => !text || [one.langCode, one.nativeName, one.englishName].some((name) => name.toLowerCase().includes(text)));
  const first = {
    coverage: (one: (typeof list)[number]) => one.coverage,
    langCode: (one: (typeof list)[number]) => one.langCode,
    englishName: (one: (typeof list)[number]) => one.englishName,
  }[wanted.sort as 'langCode'];
  return pageOfList(list.sort(compareBy(wanted.order, first, (one) => one.englishName)), wanted);
};

export const moveLanguage =
  (event: 'publish' | 'unpublish') =>
  async (ctx: Ctx, { id }: { id: number }) => {
    await followTexts(ctx.db);
    const row = await ctx.db.selectFrom('language_language').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw fault('NOT_FOUND');
    const before = languageOf(ctx, row);
    if (event === 'publish' && before.texts === 0) throw new Fault('LANGUAGE_EMPTY');
    if (event === 'unpublish' && needed.includes(row.lang_code)) throw new Fault('LANGUAGE_NEEDED');
    // The bound role may only read languages; the call's permission says who may.
    await ctx.unscoped(async (db) => {
      const moved = await move(db, rows, event, [id], {
        actorId: ctx.actor.userId,
        set: { updated_at: ctx.now(), revision: sql`revision + 1` },
      });
      if (moved.length === 0) throw fault('OVERTAKEN');
    });
    ctx.audit({ target: `language ${row.lang_code}` });
    return languageOf(ctx, { ...row, publish_status: event === 'publish' ? '1' : '0', updated_at: ctx.now() });
  };
