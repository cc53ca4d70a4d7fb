import { userCalls } from '@mooring/contract/account/calls';
import { languageCalls } from '@mooring/contract/language/calls';
import { createStore } from '../ui/store.ts';
import { speech } from '../ui/words.ts';
import { api } from './client.ts';
import { session, tokenOf } from './session.ts';
import { local, parsed } from './storage.ts';

export interface Language {
  readonly language: string;
  readonly langCode: string;
}

/** Until the server has told which there are. */
export const languages = createStore<readonly Language[]>([
  { language: 'English', langCode: 'en' },
  { language: '简体中文', langCode: 'zh-CN' },
]);

const PATIENCE_MS = 5000;
const FIRST = 'zh-CN';
const FALLBACK = 'en';

const textLangOf = (lang: string) => (lang.startsWith('zh') ? 'zh-CN' : lang);
const merge = (answer: readonly { content: Record<string, string> }[]): Record<string, string> =>
  Object.assign({}, ...answer.map((one) => one.content));
const place = (lang: string) => `texts.${lang}`;

async function fetchTexts(lang: string): Promise<Record<string, string>> {
  const answer = await api(languageCalls.findByCriteria, { langCode: lang }, { hidden: true, signal: AbortSignal.timeout(PATIENCE_MS) });
  return merge(answer);
}

/** A language's texts, with English where one is missing; English altogether where the server has none. */
async function textsOf(lang: string): Promise<Record<string, string>> {
  if (lang === FALLBACK || lang.startsWith('zh')) return fetchTexts(lang);
  const [own, english] = await Promise.all([fetchTexts(lang).catch(() => ({})), fetchTexts(FALLBACK)]);
  return { ...english, ...own };
}

let wanted = '';

/** Takes up a language: what this browser kept at once, the server's texts when they come. Fails where neither is to be had. */
export async function speak(lang: string): Promise<void> {
  wanted = lang;
  local.set('lang', lang);
  const stored = local.get(place(lang));
  const kept = parsed<Record<string, string> | undefined>(stored, undefined);
  if (kept) speech.set((now) => ({ ...now, lang, textLang: textLangOf(lang), texts: kept }));
  else if (Object.keys(speech.get().texts).length === 0) speech.set((now) => ({ ...now, lang }));
  try {
    const texts = await textsOf(lang);
    const said = JSON.stringify(texts);
    // As it stands already: a page that is being drawn isn't drawn once more.
    if (said === stored) return;
    local.set(place(lang), said);
    if (wanted === lang) speech.set((now) => ({ ...now, lang, textLang: textLangOf(lang), texts }));
  } catch (error) {
    if (!kept) throw error;
  }
}

export const storedLanguage = (): string | undefined => local.get('lang');

/**
 * The first language of the browser that is published, by its whole tag or else by its language alone; zh-CN where it names none
 * (ADR 18, specification section 1).
 */
export function preferredLanguage(wishes: readonly string[], published: readonly Language[]): string {
  const base = (tag: string) => tag.toLowerCase().split('-')[0];
  for (const wish of wishes) {
    const same = published.find((one) => one.langCode.toLowerCase() === wish.toLowerCase());
    const found = same ?? published.find((one) => base(one.langCode) === base(wish));
    if (found) return found.langCode;
  }
  return FIRST;
}
export const hasChosen = (): boolean => local.get('lang.chosen') !== undefined;

export async function chooseLanguage(lang: string): Promise<void> {
  local.set('lang.chosen', '1');
  await speak(lang);
  if (tokenOf() && session.get().user) await api(userCalls.editAccount, { language: lang }, { hidden: true }).catch(() => {});
}

let listed: Promise<void> | undefined;
export function loadLanguages(): Promise<void> {
  listed ??= api(languageCalls.supports, {}, { hidden: true, signal: AbortSignal.timeout(PATIENCE_MS) }).then(
    (found) => {
      const published = found.filter((one) => one.publishStatus === '1');
      if (published.length > 0) languages.set(published);
    },
    () => {},
  );
  return listed;
}

/** The stored language, else the browser's among those known by now. */
export const startingLanguage = (): string => storedLanguage() ?? preferredLanguage(navigator.languages ?? [], languages.get());

const RETRY_MS = 3000;
let loaded: Promise<void> | undefined;
/** Tries until there are texts: without them nothing can be shown but the overlay. */
export function loadTexts(): Promise<void> {
  loaded ??= tryTexts();
  return loaded;
}

async function tryTexts(): Promise<void> {
  for (;;) {
    try {
      if (storedLanguage() === undefined) await loadLanguages();
      await speak(startingLanguage());
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}
